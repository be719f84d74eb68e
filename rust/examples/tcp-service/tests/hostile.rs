//! Games that misbehave: the others are served all the same.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use godot_variant_codec::tokio::TypedCodec;
use tcp_service::{Request, Response, Rules, Score, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::Framed;

type Game = Framed<TcpStream, TypedCodec<Response>>;

async fn started(rules: Rules) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, rules));
    address
}

async fn connected(address: SocketAddr) -> Game {
    Framed::new(TcpStream::connect(address).await.unwrap(), TypedCodec::default())
}

/// Asks and waits for the answer; none if the connection ends.
async fn asked(game: &mut Game, request: Request) -> Option<Response> {
    game.send(request).await.ok()?;
    game.next().await?.ok()
}

const IMPATIENT: Rules = Rules { max_connections: 8, patience: Duration::from_millis(200) };

#[tokio::test]
async fn who_finds_no_place_is_told() {
    let address = started(Rules { max_connections: 1, ..Rules::default() }).await;
    let mut first = connected(address).await;
    assert_eq!(asked(&mut first, Request::Top(1)).await, Some(Response::Top(Vec::new())));
    let mut second = connected(address).await;
    let Some(Ok(Response::Refused(message))) = second.next().await else { panic!("refused") };
    assert!(message.contains("full"), "{message}");
    assert!(second.next().await.is_none(), "the connection ends");
    drop(first);
    // The place is free as soon as the service has seen it.
    loop {
        let mut third = connected(address).await;
        if let Some(Response::Top(_)) = asked(&mut third, Request::Top(1)).await {
            break;
        }
    }
}

#[tokio::test]
async fn who_sends_half_a_message_is_let_go() {
    let mut socket = TcpStream::connect(started(IMPATIENT).await).await.unwrap();
    socket.write_all(&[28, 0, 0, 0, 27, 0]).await.unwrap();
    assert_eq!(socket.read(&mut [0; 8]).await.unwrap(), 0, "the connection ends");
}

#[tokio::test]
async fn who_does_not_read_is_let_go() {
    let address = started(IMPATIENT).await;
    let mut game = connected(address).await;
    let name = "N".repeat(64);
    for score in 0..10 {
        let at = [0.0, 0.0].into();
        let request = Request::Submit(Score { player: name.clone(), score, at });
        assert!(matches!(asked(&mut game, request).await, Some(Response::Rank(1))));
    }
    // Without a timeout the service would wait for ever to be rid of an answer, and this for it.
    while game.send(Request::Top(10)).await.is_ok() {}
}

#[tokio::test]
async fn a_long_name_is_refused() {
    let mut game = connected(started(Rules::default()).await).await;
    let score = Score { player: "N".repeat(65), score: 1, at: [0.0, 0.0].into() };
    let answer = asked(&mut game, Request::Submit(score)).await;
    assert!(matches!(answer, Some(Response::Refused(_))), "{answer:?}");
    assert_eq!(asked(&mut game, Request::Top(1)).await, Some(Response::Top(Vec::new())));
}

/// A process of the service, which ends with the test.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_end_of_descriptors_is_survived() {
    let program = env!("CARGO_BIN_EXE_tcp-service");
    let mut service = Command::new("sh")
        .args(["-c", "ulimit -n 40 && exec \"$0\" 127.0.0.1:0", program])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map(Service)
        .unwrap();
    let mut line = String::new();
    BufReader::new(service.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address: SocketAddr = line.trim().rsplit(' ').next().unwrap().parse().unwrap();
    let mut games = Vec::new();
    for _ in 0..100 {
        games.push(connected(address).await);
    }
    // All that have a descriptor are served, the last ones wait.
    assert!(asked(&mut games[0], Request::Top(1)).await.is_some());
    let mut last = games.pop().unwrap();
    last.send(Request::Top(1)).await.unwrap();
    assert!(service.0.try_wait().unwrap().is_none(), "the service runs");
    drop(games);
    assert_eq!(last.next().await.unwrap().unwrap(), Response::Top(Vec::new()));
}
