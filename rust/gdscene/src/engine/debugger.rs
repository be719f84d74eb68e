//! The engine's remote debugger, which alone receives warnings in scripts (`GDScript::reload`, Godot 4.6.3).
//!
//! It connects to a port on this machine. Other programs here could connect as well: what a connection says counts once it
//! has sent the token, which only our script knows.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::Sender;
use std::thread;

use godot_variant::{Array, Value};
use godot_variant_codec::framing::{ByteOrder, FrameDecoder, FrameOptions, append_frame};

use super::process::Event;

/// What the debugger sends.
#[derive(Debug)]
pub(super) enum Message {
    /// It is the engine that we started; from now on scripts can be asked for.
    Hello(Connection),
    /// A warning in a script.
    Warning(Warning),
    /// A report did not get through.
    Dropped,
    /// Our script has tried all files.
    Done,
    /// Our script has compiled the file with this number again.
    Compiled(usize),
    /// The engine is gone.
    Closed,
}

/// A warning in a script.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Warning {
    pub(super) path: String,
    pub(super) line: u32,
    /// `UNUSED_VARIABLE`
    pub(super) code: String,
    pub(super) message: String,
}

/// A way to our script.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    /// The engine's number of the thread that takes messages. Older engines have none.
    thread: Option<Value>,
    /// How many warnings the engine sends in a second.
    pub(super) limit: usize,
}

/// What the engine has if the project says nothing else.
const USUAL_LIMIT: usize = 400;

/// At most this number of programs may connect.
const MAX_CONNECTIONS: usize = 8;

/// At most this number of messages is kept from a connection that has not sent the token.
const MAX_EARLY: usize = 5000;

/// Listens for the engine. Returns what its option `--remote-debug` has to be.
pub(super) fn listen(token: &str, events: &Sender<Event>) -> io::Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    let (token, events) = (token.to_owned(), events.clone());
    thread::Builder::new().name("debugger".to_owned()).spawn(move || {
        for stream in listener.incoming().take(MAX_CONNECTIONS).filter_map(Result::ok) {
            let (token, events) = (token.clone(), events.clone());
            // What cannot be read is as if nothing had connected.
            let read = move || drop(Reader { token, events }.read(stream));
            let _ = thread::Builder::new().name("debugged".to_owned()).spawn(read);
        }
    })?;
    Ok(format!("tcp://127.0.0.1:{port}"))
}

impl Connection {
    /// Asks for a script to be compiled again.
    pub(super) fn compile_again(&mut self, number: usize) -> io::Result<()> {
        let arguments: Array = [Value::Int(number as i64)].into_iter().collect();
        send(&mut self.stream, "gdscene:again", self.thread.clone(), arguments)
    }
}

struct Reader {
    token: String,
    events: Sender<Event>,
}

impl Reader {
    fn read(&self, mut stream: TcpStream) -> io::Result<()> {
        let mut decoder = FrameDecoder::new(FrameOptions::debugger());
        let mut bytes = vec![0; 1 << 16];
        // What comes before the token.
        let mut early = Some(Vec::new());
        loop {
            let count = stream.read(&mut bytes)?;
            if count == 0 {
                break;
            }
            decoder.push(&bytes[..count]).map_err(io::Error::other)?;
            while let Some(value) = decoder.next_value().map_err(io::Error::other)? {
                let Some((name, thread, data)) = parts(value) else { continue };
                if name == "debug_enter" {
                    // A `breakpoint` in a script, or an error: go on.
                    send(&mut stream, "continue", thread, Array::default())?;
                } else if name == "gdscene:hello" {
                    if text(data.first()) != Some(&self.token) {
                        return Ok(());
                    }
                    let limit = match data.get(1) {
                        Some(Value::Int(limit)) => usize::try_from(*limit).unwrap_or(USUAL_LIMIT),
                        _ => USUAL_LIMIT,
                    };
                    let connection = Connection { stream: stream.try_clone()?, thread, limit };
                    self.pass_on(Message::Hello(connection));
                    early.take().into_iter().flatten().for_each(|message| self.pass_on(message));
                } else if let Some(message) = message(&name, &data) {
                    match &mut early {
                        None => self.pass_on(message),
                        Some(early) if early.len() < MAX_EARLY => early.push(message),
                        Some(_) => {}
                    }
                }
            }
        }
        if early.is_none() {
            self.pass_on(Message::Closed);
        }
        Ok(())
    }

    fn pass_on(&self, message: Message) {
        // The run may have ended.
        let _ = self.events.send(Event::Message(message));
    }
}

/// The name, thread and arguments of a message: `[name, thread, [arguments…]]`, without the thread before Godot 4.2.
fn parts(value: Value) -> Option<(String, Option<Value>, Vec<Value>)> {
    let Value::Array(message) = value else { return None };
    let mut elements = message.elements.into_iter();
    let name = text(elements.next().as_ref())?.to_owned();
    match (elements.next()?, elements.next()) {
        (thread, Some(Value::Array(data))) => Some((name, Some(thread), data.elements)),
        (Value::Array(data), None) => Some((name, None, data.elements)),
        _ => None,
    }
}

fn message(name: &str, data: &[Value]) -> Option<Message> {
    match name {
        "gdscene:done" => Some(Message::Done),
        "gdscene:compiled" => match data.get(1) {
            Some(Value::Int(number)) => Some(Message::Compiled(usize::try_from(*number).ok()?)),
            _ => None,
        },
        "error" => error(data),
        _ => None,
    }
}

/// `DebuggerMarshalls::OutputError::serialize`: hour, minute, second, millisecond, file, function, line, error, description, whether
/// it is a warning, …
fn error(data: &[Value]) -> Option<Message> {
    let text = |index: usize| text(data.get(index));
    let code = text(7)?;
    if matches!(code, "TOO_MANY_WARNINGS" | "TOO_MANY_MESSAGES") {
        return Some(Message::Dropped);
    }
    let (Some(Value::Bool(true)), Some(Value::Int(line))) = (data.get(9), data.get(6)) else {
        return None;
    };
    let is_of_script =
        |char: char| char.is_ascii_uppercase() || char == '_' || char.is_ascii_digit();
    let path = text(4).filter(|path| path.starts_with("res://"))?;
    let line = u32::try_from(*line).ok()?;
    (!code.is_empty() && code.chars().all(is_of_script)).then(|| {
        let message = text(8).unwrap_or_default();
        let (code, message) = (code.to_owned(), message.to_owned());
        Message::Warning(Warning { path: path.to_owned(), line, code, message })
    })
}

fn text(value: Option<&Value>) -> Option<&str> {
    match value? {
        Value::String(text) | Value::StringName(text) => Some(text),
        _ => None,
    }
}

fn send(
    stream: &mut TcpStream,
    name: &str,
    thread: Option<Value>,
    arguments: Array,
) -> io::Result<()> {
    let parts = [Some(Value::from(name)), thread, Some(Value::from(arguments))];
    let message: Array = parts.into_iter().flatten().collect();
    let mut bytes = Vec::new();
    append_frame(&mut bytes, &Value::from(message), ByteOrder::LittleEndian)
        .map_err(io::Error::other)?;
    stream.write_all(&bytes)
}
