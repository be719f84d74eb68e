#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| testkit::codec_checks::rpc_packets(bytes));
