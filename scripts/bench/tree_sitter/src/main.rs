//! Measures how long the tree-sitter grammar for Godot's resources takes to parse the files of a list.
//!
//! Each line of the file LIST holds paths with tabs between. Prints for each line
//! `loaded FILES BYTES SECONDS`: the files that it parses without an error, and one pass over them, the
//! fastest of several.

use std::time::{Duration, Instant};
use std::{env, fs};

const BUDGET: Duration = Duration::from_millis(1500);

fn main() {
    let list = env::args().nth(1).expect("no LIST given");
    let mut parser = tree_sitter::Parser::new();
    let language = tree_sitter_godot_resource::LANGUAGE.into();
    parser.set_language(&language).expect("the grammar does not fit the library");
    for line in fs::read_to_string(list).expect("LIST cannot be read").lines() {
        let mut texts: Vec<Vec<u8>> = line.split('\t').filter_map(|path| fs::read(path).ok()).collect();
        texts.retain(|text| parser.parse(text, None).is_some_and(|tree| !tree.root_node().has_error()));
        let bytes: usize = texts.iter().map(Vec::len).sum();
        let (mut fastest, start) = (Duration::MAX, Instant::now());
        while fastest == Duration::MAX || start.elapsed() < BUDGET {
            let start = Instant::now();
            for text in &texts {
                std::hint::black_box(parser.parse(text, None));
            }
            fastest = fastest.min(start.elapsed());
        }
        println!("loaded {} {bytes} {:.6}", texts.len(), fastest.as_secs_f64());
    }
}
