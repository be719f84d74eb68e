#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| testkit::merge_checks::merge_texts(bytes));
