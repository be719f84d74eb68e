#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| testkit::o3de_checks::o3de_load(bytes));
