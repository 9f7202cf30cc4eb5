//! Limits the memory of the core in a browser, as the server limits that of its runs.

use std::env;

/// Octets, a multiple of the pages of 64 KiB of WebAssembly.
const MOST_MEMORY: u32 = 1 << 30;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--max-memory={MOST_MEMORY}");
    }
}
