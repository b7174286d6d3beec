//! What is different on a terminal: colours where they are wanted, and a line of progress that goes away.

use crate::harness::output;
use std::{
    fs::File,
    io::Read,
    os::fd::{FromRawFd, OwnedFd},
    process::Stdio,
    ptr::{null, null_mut},
    time::Duration,
};
use tokio::{process::Command, task::spawn_blocking, time::timeout};

/// Everything that a program writes to its terminal.
async fn on_terminal(arguments: &[&str], settings: &[(&str, &str)]) -> String {
    let (mut screen, terminal) = open();
    let other = terminal.try_clone().expect("a second descriptor");
    let mut child = Command::new(crate::PROGRAM);
    child.args(arguments).env_clear().envs(settings.iter().copied()).kill_on_drop(true);
    let mut running = child.stdin(Stdio::null()).stdout(terminal).stderr(other).spawn().expect("the program starts");
    // It holds the terminal too, whose end would never come.
    drop(child);
    let read = spawn_blocking(move || {
        let mut text = Vec::new();
        // Linux ends a terminal that nobody holds with an error.
        let _ = screen.read_to_end(&mut text);
        text
    });
    let text = timeout(Duration::from_secs(40), read).await.expect("it ends in time").expect("the reader ends");
    running.wait().await.expect("it ends");
    String::from_utf8(text).expect("text")
}

fn open() -> (File, OwnedFd) {
    let (mut screen, mut terminal) = (-1, -1);
    // SAFETY: both descriptors are written before they are read, and nothing else is asked for.
    let done = unsafe { libc::openpty(&mut screen, &mut terminal, null_mut(), null(), null()) };
    assert_eq!(done, 0, "there is no terminal: {}", std::io::Error::last_os_error());
    // SAFETY: they were just opened, and belong to nobody else.
    unsafe { (File::from_raw_fd(screen), OwnedFd::from_raw_fd(terminal)) }
}

#[tokio::test]
async fn colours_are_for_terminals_that_show_them() {
    const RED: &str = "\x1b[1;31mIt does not work.\x1b[0m";
    for (settings, coloured, why) in [
        (vec![("TERM", "xterm")], true, "a terminal"),
        (vec![("TERM", "xterm"), ("NO_COLOR", "")], true, "an empty NO_COLOR is none"),
        (vec![("TERM", "xterm"), ("NO_COLOR", "1")], false, "not wanted"),
        (vec![("TERM", "dumb")], false, "cannot show them"),
        (vec![], false, "nobody knows what it can show"),
    ] {
        let text = on_terminal(&["check"], &settings).await;
        assert_eq!((text.contains(RED), text.contains('\x1b')), (coloured, coloured), "{why}: {text:?}");
        assert!(text.contains("It does not work."), "{why}: {text:?}");
    }
    let text = output(&["check"], &[("TERM", "xterm")]).await;
    assert!(text.code == Some(1) && !text.stdout.contains('\x1b'), "{}", text.stdout);
}

#[tokio::test]
async fn the_demo_says_what_it_waits_for_and_takes_it_back() {
    let shown = on_terminal(&["demo", "--once"], &[("TERM", "xterm")]).await;
    let (progress, conversation) = shown.split_once("A demo library").expect("the conversation");
    assert!(
        progress.contains("building the demo library …\r\x1b[2K") && progress.ends_with("\r\x1b[2K"),
        "{progress:?}"
    );
    assert!(conversation.contains("\x1b[1;32mBoth protocol revisions gave the same answers."), "{conversation}");
    let plain = output(&["demo", "--once"], &[("TERM", "xterm")]).await;
    assert_eq!((plain.code, plain.stderr.as_str(), plain.stdout.contains('\x1b')), (Some(0), "", false));
}
