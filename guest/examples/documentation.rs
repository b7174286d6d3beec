//! Prints docs/tools.md, or with `routes` docs/routes.md, for `cargo xtask docs`.

fn main() {
    let text = match std::env::args().nth(1).as_deref() {
        Some("routes") => guest::tools::route_documentation(),
        _ => guest::tools::documentation(),
    };
    print!("{text}");
}
