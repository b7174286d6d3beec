//! Tells the compiler for which platform this is built.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=PLATFORM={}", std::env::var("TARGET").expect("set by cargo"));
}
