//! Reads what `cargo test` prints and keeps what a reader needs: a line a program, the whole text of one that failed, a sum.

#[derive(Default)]
pub(crate) struct Output {
    /// The program that is running, or cargo while it compiles.
    program: String,
    /// All it printed so far.
    text: Vec<String>,
    skipped: Vec<String>,
    /// A sentence for each host on which the end-to-end suite ran.
    hosts: Vec<String>,
    counts: Counts,
}

/// The programs that run the end-to-end suite, and on what.
const HOSTS: [(&str, &str); 2] = [("suite (", "our own host"), ("suite_on_spin (", "Spin's contract")];

#[derive(Clone, Copy, Default)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Output {
    /// Takes one line. Returns what there is to show after it.
    pub(crate) fn line(&mut self, line: &str) -> Option<String> {
        if let Some(program) = starting_program(line) {
            // A program that ends without a result was ended by something; its text is the only trace.
            let shown = self.unfinished(self.program.is_empty());
            self.program = program;
            self.text.clear();
            return shown;
        }
        if !is_progress(line) {
            self.text.push(line.to_owned());
        }
        if let Some((name, reason)) = skipped_test(line) {
            self.skipped.push(format!("{} {name}: {}", self.program, reason.unwrap_or("no reason given")));
        }
        let counts = result(line)?;
        self.counts.passed += counts.passed;
        self.counts.failed += counts.failed;
        self.counts.skipped += counts.skipped;
        let text = std::mem::take(&mut self.text);
        let program = std::mem::take(&mut self.program);
        if let Some((_, host)) = HOSTS.iter().find(|(start, _)| program.starts_with(start)) {
            self.hosts.push(format!("end to end on {host}: {} tests passed, {} failed", counts.passed, counts.failed));
        }
        if counts.failed > 0 {
            return Some(format!("  {program}\n{}", text.join("\n")));
        }
        (counts.passed + counts.skipped > 0).then(|| format!("  {program}: {} passed", counts.passed))
    }

    /// What is left when the output ends, unless all went well.
    pub(crate) fn unfinished(&self, all_is_well: bool) -> Option<String> {
        let program = if self.program.is_empty() { "cargo" } else { &self.program };
        (!all_is_well && !self.text.is_empty()).then(|| format!("  {program}\n{}", self.text.join("\n")))
    }

    /// Whether what comes now is a program's own output.
    pub(crate) fn is_running(&self) -> bool {
        !self.program.is_empty()
    }

    /// Something that was left out, with the reason.
    pub(crate) fn skip(&mut self, what: String) {
        self.skipped.push(what);
        self.counts.skipped += 1;
    }

    /// Something that failed before a program could be counted.
    pub(crate) fn fail(&mut self) {
        self.counts.failed += 1;
    }

    /// On which hosts the end-to-end suite ran, what was left out, and the sum as the last line.
    pub(crate) fn summary(&self) -> String {
        let hosts = self.hosts.iter().map(|host| format!("  {host}\n"));
        let skipped = self.skipped.iter().map(|skipped| format!("  skipped: {skipped}\n"));
        hosts.chain(skipped).chain([self.sum()]).collect()
    }

    fn sum(&self) -> String {
        let Counts { passed, failed, skipped } = self.counts;
        format!("{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// `Running unittests src/lib.rs (target/debug/deps/policy-0123456789abcdef)`, or `Doc-tests policy`.
fn starting_program(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(package) = line.strip_prefix("Doc-tests ") {
        return Some(format!("{package} (documentation)"));
    }
    let (source, file) = line.strip_prefix("Running ")?.strip_suffix(')')?.rsplit_once(" (")?;
    let (name, _hash) = file.rsplit(['/', '\\']).next()?.rsplit_once('-')?;
    Some(format!("{name} ({})", source.trim_start_matches("unittests ")))
}

/// `   Compiling policy v0.1.0 (…)`: of no use once something has failed.
fn is_progress(line: &str) -> bool {
    let verbs = ["Compiling", "Checking", "Downloading", "Downloaded", "Finished", "Blocking"];
    line.starts_with(' ') && verbs.iter().any(|verb| line.trim_start().starts_with(verb))
}

/// `test name ... ignored, reason`
fn skipped_test(line: &str) -> Option<(&str, Option<&str>)> {
    let (name, outcome) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let reason = outcome.strip_prefix("ignored")?;
    Some((name, reason.strip_prefix(", ")))
}

/// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s`
fn result(line: &str) -> Option<Counts> {
    let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let number = |what| numbers.split("; ").find_map(|part| part.strip_suffix(what)?.trim().parse().ok());
    Some(Counts { passed: number(" passed")?, failed: number(" failed")?, skipped: number(" ignored")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &str) -> (Vec<String>, Output) {
        let mut output = Output::default();
        (lines.lines().filter_map(|line| output.line(line)).collect(), output)
    }

    #[test]
    fn sums_over_all_programs() {
        let (shown, output) = shown(
            "   Compiling policy v0.1.0\n     Running unittests src/lib.rs (target/debug/deps/policy-0a1b)\n\nrunning 2 tests\n\
             test a ... ok\ntest b ... ignored, needs a server\n\n\
             test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n   \
             Running tests/empty.rs (target/debug/deps/empty-2c3d)\n\nrunning 0 tests\n\n\
             test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s\n\n   \
             Doc-tests policy\n\nrunning 3 tests\n\n\
             test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        );
        assert_eq!(shown, ["  policy (src/lib.rs): 1 passed", "  policy (documentation): 3 passed"]);
        assert_eq!(output.skipped, ["policy (src/lib.rs) b: needs a server"]);
        assert_eq!(output.sum(), "4 passed, 0 failed, 1 skipped");
    }

    #[test]
    fn counts_the_suite_for_each_host() {
        let program = |name: &str, passed: u8| {
            format!(
                "     Running ../tests/suite/main.rs (target/debug/deps/{name}-0a1b)\n\
                 test result: ok. {passed} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s\n"
            )
        };
        let (_, output) = shown(&[program("suite", 7), program("policy", 1), program("suite_on_spin", 5)].concat());
        assert_eq!(
            output.summary(),
            "  end to end on our own host: 7 tests passed, 0 failed\n  \
             end to end on Spin's contract: 5 tests passed, 0 failed\n13 passed, 0 failed, 0 skipped"
        );
    }

    #[test]
    fn counts_what_never_was_a_program() {
        let mut output = Output::default();
        output.skip("interop: off".to_owned());
        output.fail();
        assert_eq!(output.summary(), "  skipped: interop: off\n0 passed, 1 failed, 1 skipped");
    }

    #[test]
    fn shows_all_that_a_failing_program_printed() {
        let (shown, output) = shown(
            "     Running tests/a.rs (target/debug/deps/a-0a1b)\nrunning 1 test\ntest x ... FAILED\nleft: 1\n\
             test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
        );
        assert!(shown[0].contains("left: 1"), "{shown:?}");
        assert_eq!(output.sum(), "0 passed, 1 failed, 0 skipped");
    }

    #[test]
    fn shows_what_a_program_printed_that_died() {
        let (shown, output) = shown(
            "     Running tests/a.rs (target/debug/deps/a-0a1b)\nrunning 1 test\nabort\n     \
             Running tests/b.rs (target/debug/deps/b-0a1b)\nrunning 1 test\nabort too",
        );
        assert!(shown[0].contains("abort"), "{shown:?}");
        assert!(output.unfinished(false).unwrap().contains("abort too"));
    }

    #[test]
    fn shows_a_compiler_error() {
        let (_, output) = shown("   Compiling policy v0.1.0\nerror[E0425]: cannot find value");
        assert_eq!(output.unfinished(false).unwrap(), "  cargo\nerror[E0425]: cannot find value");
        assert_eq!(output.unfinished(true), None);
    }
}
