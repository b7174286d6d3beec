//! Colours, where a person looks at a terminal that shows them and nobody said `NO_COLOR`.

use std::{
    env,
    fmt::{self, Display, Formatter},
    io::IsTerminal,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    coloured: bool,
}

impl Style {
    /// For what is printed there.
    pub(crate) fn of(stream: &impl IsTerminal) -> Style {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_none_or(|terminal| terminal == "dumb");
        Style { coloured: stream.is_terminal() && !dumb && set("NO_COLOR").is_none() }
    }

    pub(crate) fn bold<T: Display>(self, text: T) -> Styled<T> {
        self.with("1", text)
    }

    pub(crate) fn dim<T: Display>(self, text: T) -> Styled<T> {
        self.with("2", text)
    }

    pub(crate) fn good<T: Display>(self, text: T) -> Styled<T> {
        self.with("1;32", text)
    }

    pub(crate) fn bad<T: Display>(self, text: T) -> Styled<T> {
        self.with("1;31", text)
    }

    pub(crate) fn odd<T: Display>(self, text: T) -> Styled<T> {
        self.with("33", text)
    }

    fn with<T: Display>(self, code: &'static str, text: T) -> Styled<T> {
        Styled { code: self.coloured.then_some(code), text }
    }
}

pub(crate) struct Styled<T> {
    code: Option<&'static str>,
    text: T,
}

impl<T: Display> Display for Styled<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "\x1b[{code}m{}\x1b[0m", self.text),
            None => self.text.fmt(f),
        }
    }
}
