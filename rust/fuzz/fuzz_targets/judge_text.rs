#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| testkit::text_checks::judge_text(bytes));
