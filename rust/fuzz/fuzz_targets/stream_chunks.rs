#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| testkit::codec_checks::stream_chunks(bytes));
