//! Prints docs/tools.md, for `cargo xtask docs`.

fn main() {
    print!("{}", guest::tools::documentation());
}
