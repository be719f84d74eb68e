//! The codecs for tokio, over real pipes that give bytes in small pieces.

use futures_util::{SinkExt, StreamExt};
use godot_variant_codec::framing::{
    ByteOrder, FrameDecoder, FrameOptions, append_frame, append_frame_as,
};
use godot_variant_codec::serde::Vector2;
use godot_variant_codec::tokio::{CodecError, TypedCodec, VariantCodec};
use godot_variant_codec::variant::Value;
use godot_variant_codec::{Dialect, EncodeOptions, decode_as, encode_as};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use testkit::values;
use tokio::io::AsyncWriteExt;
use tokio_util::codec::{Framed, FramedRead, FramedWrite};

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// All that a codec gives for these bytes, or the first error.
fn read(bytes: &[u8], options: FrameOptions) -> Result<Vec<Value>, CodecError> {
    block_on(async {
        // The pipe holds less than a value, so that each comes in pieces.
        let (mut ours, theirs) = tokio::io::duplex(7);
        let writing = async {
            let _ = ours.write_all(bytes).await;
            drop(ours);
        };
        let reading = async {
            let mut frames = FramedRead::new(theirs, VariantCodec::new(options));
            let mut values = Vec::new();
            while let Some(value) = frames.next().await {
                values.push(value?);
            }
            Ok(values)
        };
        tokio::join!(writing, reading).1
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn values_survive(list in vec(values::value(), 0..6), big_endian: bool) {
        let byte_order = if big_endian { ByteOrder::BigEndian } else { ByteOrder::LittleEndian };
        let options = FrameOptions { byte_order, ..FrameOptions::default() };
        let mut frames = FramedWrite::new(Vec::new(), VariantCodec::new(options));
        block_on(async {
            for value in &list {
                frames.send(value).await.unwrap();
            }
        });
        let mut expected = Vec::new();
        for value in &list {
            append_frame(&mut expected, value, byte_order).unwrap();
        }
        prop_assert_eq!(frames.get_ref(), &expected);
        prop_assert_eq!(read(&expected, options).unwrap(), list);
    }

    #[test]
    fn values_survive_in_every_dialect(list in vec(values::value(), 0..4), which in 0..7usize) {
        let (dialect, mut options) = (Dialect::ALL[which], FrameOptions::default());
        // Keys that differ in Godot 4 may be one in Godot 3.
        options.decode.lossy = true;
        let lossy = EncodeOptions { lossy: true, ..EncodeOptions::default() };
        let codec = || VariantCodec::with_dialect(options, dialect, lossy);
        let (mut expected, mut near) = (Vec::new(), Vec::new());
        for value in &list {
            append_frame_as(&mut expected, value, options.byte_order, dialect, lossy).unwrap();
            let encoded = encode_as(value, dialect, lossy).unwrap();
            near.push(decode_as(&encoded, dialect, options.decode).unwrap());
        }
        let (sent, received) = block_on(async {
            let mut frames = FramedWrite::new(Vec::new(), codec());
            for value in &list {
                frames.send(value).await.unwrap();
            }
            let sent = frames.into_inner();
            let mut frames = FramedRead::new(&sent[..], codec());
            let mut received = Vec::new();
            while let Some(value) = frames.next().await {
                received.push(value.unwrap());
            }
            (sent, received)
        });
        prop_assert_eq!(sent, expected);
        prop_assert_eq!(received, near);
    }

    #[test]
    fn any_bytes_give_what_the_other_decoder_gives(
        bytes in vec(prop_oneof![3 => 0..3u8, 1 => any::<u8>()], 0..100),
    ) {
        let options = FrameOptions::default();
        let mut decoder = FrameDecoder::new(options);
        decoder.push(&bytes).unwrap();
        let mut expected = Vec::new();
        let expected = loop {
            match decoder.next_value() {
                Ok(Some(value)) => expected.push(value),
                Ok(None) => break decoder.finish().map(|()| expected),
                Err(error) => break Err(error),
            }
        };
        match (read(&bytes, options), expected) {
            (Ok(ours), Ok(expected)) => prop_assert_eq!(ours, expected),
            (Err(CodecError::Frame(ours)), Err(expected)) => {
                prop_assert_eq!(ours.to_string(), expected.to_string());
            }
            (ours, expected) => prop_assert!(false, "{:?} but {:?}", ours, expected),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Message {
    Join { name: String },
    Move(Vector2),
    Leave,
}

#[test]
fn typed_messages_both_ways() {
    block_on(async {
        let (ours, theirs) = tokio::io::duplex(16);
        let mut ours = Framed::new(ours, TypedCodec::<u32>::default());
        let mut theirs = Framed::new(theirs, TypedCodec::<Message>::default());
        let messages = [
            Message::Join { name: "Ada".into() },
            Message::Move([1.0, 2.0].into()),
            Message::Leave,
        ];
        let sending = async {
            for (number, message) in messages.iter().enumerate() {
                ours.send(message).await.unwrap();
                assert_eq!(ours.next().await.unwrap().unwrap() as usize, number);
            }
        };
        let answering = async {
            for (number, message) in messages.iter().enumerate() {
                assert_eq!(&theirs.next().await.unwrap().unwrap(), message);
                theirs.send(number).await.unwrap();
            }
        };
        tokio::join!(sending, answering);
    });
}

#[test]
fn another_type_is_an_error_that_says_where() {
    block_on(async {
        let (ours, theirs) = tokio::io::duplex(1000);
        let mut ours = Framed::new(ours, VariantCodec::default());
        let mut theirs = Framed::new(theirs, TypedCodec::<Vec<u8>>::default());
        ours.send(godot_variant_codec::serde::to_value(&[1, 2, 300]).unwrap()).await.unwrap();
        let error = theirs.next().await.unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid value: integer `300`, expected u8 (at byte 24, in [2])"
        );
    });
}

#[test]
fn a_length_alone_takes_no_memory() {
    use tokio_util::codec::Decoder as _;

    let options = FrameOptions { max_frame_len: 1 << 30, ..FrameOptions::default() };
    let mut bytes = bytes::BytesMut::from(&[0, 0, 0, 0x40][..]);
    assert!(VariantCodec::new(options).decode(&mut bytes).unwrap().is_none());
    assert!(bytes.capacity() < 1 << 16, "{}", bytes.capacity());
    let error = VariantCodec::default().decode(&mut bytes).unwrap_err();
    assert!(error.to_string().contains("declares 1073741824 bytes"), "{error}");
}
