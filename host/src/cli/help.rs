//! What the help says besides the list of flags, and how wide it says it.

use clap::Command;

/// Leaves room for the indentation in a window of 100 columns.
const WIDTH: usize = 88;

/// clap breaks no lines without a crate that asks the terminal for its width.
pub(super) fn wrapped(command: Command) -> Command {
    command.mut_args(|arg| match arg.get_long_help().or(arg.get_help()).map(ToString::to_string) {
        Some(text) => arg.long_help(wrap(&text)),
        None => arg,
    })
}

fn wrap(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len() + 8);
    let mut column = 0;
    for (line, number) in text.lines().zip(0..) {
        if number > 0 {
            wrapped.push('\n');
            column = 0;
        }
        for word in line.split(' ') {
            let width = word.chars().count();
            match column {
                0 => {}
                _ if column + 1 + width > WIDTH => {
                    wrapped.push('\n');
                    column = 0;
                }
                _ => {
                    wrapped.push(' ');
                    column += 1;
                }
            }
            wrapped.push_str(word);
            column += width;
        }
    }
    wrapped
}

pub(super) const SHORT: &str = "\
--help says more: what each setting means, the limits, and examples.";

pub(super) const LONG: &str = "\
Where settings come from:
  A flag goes before an environment variable, and that before a line of the settings file
  (--settings). The file has the names of the variables, a NAME=value a line, as container tools and
  systemd have it:

    AUDIOBOOKSHELF_URL=http://192.0.2.7:13378
    AUDIOBOOKSHELF_API_KEY_FILE=/etc/audiobookshelf-mcp/key

  Keys and tokens come from a variable or from a file, never from a flag. A settings file of your own
  that holds one must not be readable by others (chmod 600).

Examples:
  audiobookshelf-mcp demo --once
      A conversation with a made-up library. Needs nothing.
  audiobookshelf-mcp check --url http://192.0.2.7:13378 --api-key-file abs.key
      Would the server work with these settings, and what could it do?
  audiobookshelf-mcp config claude-desktop --url http://192.0.2.7:13378 --api-key-file abs.key
      What to put into the configuration of an MCP client, for the same settings.
  audiobookshelf-mcp serve --settings abs.env --read-only
      For clients that speak HTTP, at http://127.0.0.1:8787/mcp.
  audiobookshelf-mcp completions bash > ~/.local/share/bash-completion/completions/audiobookshelf-mcp
      Completion of commands and flags with the Tab key.

Exit codes: 0 done, 1 a setting or the start went wrong, 2 the command line is not understood.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks_and_nothing_is_lost() {
        let text = format!("{} end\n[variable: X]", "word ".repeat(60).trim());
        let wrapped = wrap(&text);
        assert!(wrapped.lines().all(|line| line.len() <= WIDTH && !line.starts_with(' ')), "{wrapped}");
        assert!(wrapped.lines().count() > 4 && wrapped.ends_with("end\n[variable: X]"), "{wrapped}");
        assert_eq!(wrapped.split_whitespace().count(), text.split_whitespace().count());
        assert_eq!(wrap("short"), "short");
    }
}
