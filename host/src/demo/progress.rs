//! One line that says what is being waited for, and is gone once that is there. Only on a terminal that can take it back.

use std::{
    env,
    io::{self, IsTerminal, Write},
};

pub(super) struct Progress {
    shown: bool,
}

impl Progress {
    pub(super) fn start() -> Progress {
        let takes_back = env::var_os("TERM").is_some_and(|terminal| !terminal.is_empty() && terminal != "dumb");
        Progress { shown: takes_back && io::stderr().is_terminal() }
    }

    pub(super) fn show(&self, what: &str) {
        self.write(&format!("{what} …"));
    }

    fn write(&self, line: &str) {
        if self.shown {
            let mut stderr = io::stderr().lock();
            // A progress that cannot be shown is no reason to stop.
            let _ = write!(stderr, "\r\x1b[2K{line}").and_then(|()| stderr.flush());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.write("");
    }
}
