//! The service over a real connection, with Rust's types and with the bytes that Godot sends.

use futures_util::{SinkExt, StreamExt};
use godot_variant_codec::tokio::TypedCodec;
use tcp_service::{Request, Response, Rules, Score, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::Framed;

async fn connected() -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, Rules::default()));
    TcpStream::connect(address).await.unwrap()
}

fn score(player: &str, score: i64) -> Score {
    Score { player: player.to_owned(), score, at: [3.0, 4.0].into() }
}

#[tokio::test]
async fn scores_are_ranked() {
    let mut stream = Framed::new(connected().await, TypedCodec::<Response>::default());
    for (player, points, rank) in [("Ada", 10, 1), ("Bob", 5, 2), ("Cleo", 20, 1)] {
        stream.send(Request::Submit(score(player, points))).await.unwrap();
        assert_eq!(stream.next().await.unwrap().unwrap(), Response::Rank(rank));
    }
    stream.send(Request::Top(2)).await.unwrap();
    let expected = Response::Top(vec![score("Cleo", 20), score("Ada", 10)]);
    assert_eq!(stream.next().await.unwrap().unwrap(), expected);
}

/// `put_var({"Top": 3})`, and what `get_var` has to find.
#[tokio::test]
async fn the_bytes_are_those_of_godot() {
    let mut socket = connected().await;
    let request = [
        28, 0, 0, 0, 27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, b'T', b'o', b'p', 0, 2, 0, 0,
        0, 3, 0, 0, 0,
    ];
    socket.write_all(&request).await.unwrap();
    let mut answer = [0; 32];
    socket.read_exact(&mut answer).await.unwrap();
    let expected = [
        28, 0, 0, 0, 27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, b'T', b'o', b'p', 0, 28, 0,
        0, 0, 0, 0, 0, 0,
    ];
    assert_eq!(answer, expected);
}

#[tokio::test]
async fn whoever_sends_nonsense_is_told_and_let_go() {
    for (bytes, reason) in [
        (&[8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0][..], "invalid type: int"),
        (&[4, 0, 0, 0, 0xFF, 0, 0, 0], "unknown type 255"),
        (&[0, 0, 0, 0x7F], "declares 2130706432 bytes"),
    ] {
        let mut socket = connected().await;
        socket.write_all(bytes).await.unwrap();
        let mut stream = Framed::new(socket, TypedCodec::<Response>::default());
        let Response::Refused(message) = stream.next().await.unwrap().unwrap() else {
            panic!("refused");
        };
        assert!(message.contains(reason), "{message}");
        assert!(stream.next().await.is_none(), "the connection ends");
    }
}
