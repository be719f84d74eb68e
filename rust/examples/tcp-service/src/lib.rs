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

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_util::codec::Framed;
use variant_codec::framing::FrameOptions;
use variant_codec::serde::Vector2;
use variant_codec::tokio::{CodecError, TypedCodec};

/// No message of this service is longer, so nothing longer is taken from a stranger.
const MAX_MESSAGE_LEN: usize = 4096;
/// Whoever says nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(60);
/// The best so many are kept.
const KEPT_SCORES: usize = 1000;

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
    /// What is wrong with a message. The connection ends then.
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

/// Serves everybody who connects, until the listener fails.
///
/// # Errors
/// What the listener says.
pub async fn serve(listener: TcpListener) -> io::Result<()> {
    let board = Arc::new(Board::default());
    loop {
        let (socket, peer) = listener.accept().await?;
        let board = Arc::clone(&board);
        tokio::spawn(async move {
            if let Err(error) = serve_one(socket, &board).await {
                eprintln!("{peer}: {error}");
            }
        });
    }
}

/// Answers one game's requests until it goes.
async fn serve_one(socket: TcpStream, board: &Board) -> Result<(), CodecError> {
    socket.set_nodelay(true)?;
    let options = FrameOptions { max_frame_len: MAX_MESSAGE_LEN, ..FrameOptions::default() };
    let mut stream = Framed::new(socket, TypedCodec::<Request>::new(options));
    while let Some(request) = timeout(PATIENCE, stream.next()).await.map_err(io::Error::from)? {
        match request {
            Ok(request) => stream.send(board.answer(request)).await?,
            Err(error) => {
                stream.send(Response::Refused(error.to_string())).await?;
                return Err(error);
            }
        }
    }
    Ok(())
}
