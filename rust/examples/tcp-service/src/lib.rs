//! A high score service for Godot games, in plain Rust: no engine, no Godot libraries.
//!
//! Messages are Rust types. On the wire they are values behind their lengths, as
//! `StreamPeer.put_var` sends them, so that a game needs nothing but `VariantStream`, or `put_var`
//! and `get_var`:
//!
//! ```gdscript
//! stream.send(peer, {"Submit": {"player": "Ada", "score": 120, "at": Vector2(3, 4)}})
//! stream.send(peer, {"Top": 10})
//! # {"Rank": 1}
//! # {"Top": [{"player": "Ada", "score": 120, "at": Vector2(3, 4)}]}
//! ```
//!
//! `godot_project/demo/score_client.gd` is such a game's side.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::BytesMut;
use futures_util::{SinkExt, StreamExt};
use godot_variant_codec::framing::FrameOptions;
use godot_variant_codec::serde::Vector2;
use godot_variant_codec::tokio::{CodecError, TypedCodec};
use serde::{Deserialize, Serialize};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_util::codec::{Encoder, Framed};

/// The longest message of this service. Longer ones from untrusted peers are refused.
const MAX_MESSAGE_LEN: usize = 4096;
/// Ten names of this length fit in a message.
const MAX_NAME_CHARS: usize = 64;
/// The best so many are kept.
const KEPT_SCORES: usize = 1000;

/// How much the service puts up with.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// So many games are served at once. Each takes a descriptor, of which a process often has 1024.
    pub max_connections: usize,
    /// Whoever takes longer to send a whole request, or to take an answer, is gone.
    pub patience: Duration,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { max_connections: 512, patience: Duration::from_secs(60) }
    }
}

/// What a game asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Keep this score; answered by [`Response::Rank`].
    Submit(Score),
    /// Tell the best so many scores; answered by [`Response::Top`].
    Top(usize),
}

/// What the service answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The place of a submitted score, 1 for the best; 0 if it is not good enough to be kept.
    Rank(usize),
    /// Scores, the best first.
    Top(Vec<Score>),
    /// What is wrong with a message, or that the service is full. Unless it is only a name that is
    /// too long, the connection ends then.
    Refused(String),
}

/// One score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Who.
    pub player: String,
    /// How many points.
    pub score: i64,
    /// Where the game ended.
    pub at: Vector2,
}

/// The scores, the best first.
#[derive(Debug, Default)]
pub struct Board {
    scores: Mutex<Vec<Score>>,
}

impl Board {
    /// Answers a request.
    pub fn answer(&self, request: Request) -> Response {
        let mut scores = self.scores.lock().unwrap_or_else(PoisonError::into_inner);
        match request {
            Request::Submit(score) if score.player.chars().count() > MAX_NAME_CHARS => {
                Response::Refused(format!("a name has at most {MAX_NAME_CHARS} characters"))
            }
            Request::Submit(score) => {
                let place = scores.partition_point(|other| other.score >= score.score);
                scores.insert(place, score);
                scores.truncate(KEPT_SCORES);
                Response::Rank(if place < KEPT_SCORES { place + 1 } else { 0 })
            }
            // A whole board would be longer than a message may be.
            Request::Top(count) => {
                Response::Top(scores.iter().take(count.min(10)).cloned().collect())
            }
        }
    }
}

/// Serves all clients until the program ends.
pub async fn serve(listener: TcpListener, rules: Rules) {
    let board = Arc::new(Board::default());
    let places = Arc::new(Semaphore::new(rules.max_connections));
    loop {
        let (socket, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            // The usual reason is that there are no descriptors left. They are free again when a client disconnects.
            Err(error) => {
                eprintln!("cannot accept: {error}");
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            send_away(socket);
            continue;
        };
        let board = Arc::clone(&board);
        tokio::spawn(async move {
            if let Err(error) = serve_one(socket, &board, rules.patience).await {
                eprintln!("{peer}: {error}");
            }
            drop(place);
        });
    }
}

/// Says that the service is full, without waiting for anybody: a new connection has room for a line.
fn send_away(socket: TcpStream) {
    let full = Response::Refused("the service is full: try again later".to_owned());
    let mut message = BytesMut::new();
    if TypedCodec::<Response>::default().encode(full, &mut message).is_ok() {
        let _ = socket.into_std().and_then(|mut socket| socket.write_all(&message));
    }
}

/// Answers one game's requests until it goes.
async fn serve_one(socket: TcpStream, board: &Board, patience: Duration) -> Result<(), CodecError> {
    socket.set_nodelay(true)?;
    let options = FrameOptions { max_frame_len: MAX_MESSAGE_LEN, ..FrameOptions::default() };
    let mut stream = Framed::new(socket, TypedCodec::<Request>::new(options));
    while let Some(request) = timeout(patience, stream.next()).await.map_err(io::Error::from)? {
        let (answer, error) = match request {
            Ok(request) => (board.answer(request), None),
            Err(error) => (Response::Refused(error.to_string()), Some(error)),
        };
        timeout(patience, stream.send(answer)).await.map_err(io::Error::from)??;
        if let Some(error) = error {
            return Err(error);
        }
    }
    Ok(())
}

/// The example on the page for those who write a server.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/site/server.md")]
struct Page;
