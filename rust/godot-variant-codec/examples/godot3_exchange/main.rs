//! Exchanges values with Godot 3.6: see `scripts/test/codec/godot3.sh`.
//!
//! ```text
//! cargo run -p godot-variant-codec --example godot3_exchange -- write FOLDER COUNT SEED
//! cargo run -p godot-variant-codec --example godot3_exchange -- check FOLDER
//! ```

mod exchange;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["write", folder, count, seed] => match (count.parse(), seed.parse()) {
            (Ok(count), Ok(seed)) => exchange::write(Path::new(folder), count, seed).map(|()| true),
            _ => {
                eprintln!("`{count}` and `{seed}`: two numbers are expected");
                return ExitCode::from(2);
            }
        },
        ["check", folder] => exchange::check(Path::new(folder)).map(|report| print(&report)),
        _ => {
            eprintln!("usage: godot3_exchange write FOLDER COUNT SEED | check FOLDER");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether both are equal.
fn print(report: &exchange::Report) -> bool {
    for difference in report.differences.iter().take(20) {
        println!("{difference}");
    }
    let exchange::Report { from_godot3, to_godot3, broken, accepted, lax_texts, .. } = report;
    println!(
        "{from_godot3} values from Godot 3, {to_godot3} to it, {broken} broken ones ({accepted} accepted, {lax_texts} \
         of them with text that is not UTF-8): {} differences",
        report.differences.len()
    );
    report.differences.is_empty()
}
