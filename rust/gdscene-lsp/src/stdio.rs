//! Messages over standard input and output.
//!
//! Unlike `lsp_server::Connection::stdio`, this continues after an invalid message, and allocates no memory for a message that does
//! not arrive.

use std::io::{self, BufRead, Read as _};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Sender, bounded};
use ls_types::notification::{Exit, LogMessage, Notification as _};
use ls_types::{LogMessageParams, MessageType};
use lsp_server::{Connection, Message, Notification};

/// No message is longer: texts that rules check have less than 2 GB, and a client sends the typed text.
const MAX_LENGTH: usize = 1 << 30;
/// No head of a message is longer.
const MAX_LINE: u64 = 4096;

/// The threads that read and write.
#[derive(Debug)]
pub(crate) struct Threads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

pub(crate) fn connect() -> io::Result<(Connection, Threads)> {
    // Without a queue: a client that does not read has to wait, and takes no memory.
    let (sender, to_write) = bounded::<Message>(0);
    let (read, receiver) = bounded::<Message>(0);
    let write = move || {
        let mut stdout = io::stdout().lock();
        to_write.into_iter().try_for_each(|message| message.write(&mut stdout))
    };
    let complaints = sender.clone();
    let writer = thread::Builder::new().name("gdscene lsp writer".to_owned()).spawn(write)?;
    let read_all = move || read_all(&mut io::stdin().lock(), &read, &complaints);
    let reader = thread::Builder::new().name("gdscene lsp reader".to_owned()).spawn(read_all)?;
    Ok((Connection { sender, receiver }, Threads { reader, writer }))
}

impl Threads {
    /// Waits for their ends: that of the input, and of all that sends.
    pub(crate) fn join(self) -> io::Result<()> {
        for thread in [self.reader, self.writer] {
            thread.join().map_err(|_| io::Error::other("a thread has panicked"))??;
        }
        Ok(())
    }
}

fn read_all(
    input: &mut dyn BufRead,
    messages: &Sender<Message>,
    complaints: &Sender<Message>,
) -> io::Result<()> {
    while let Some(body) = read_body(input)? {
        match serde_json::from_slice::<Message>(&body) {
            Ok(message) => {
                let is_exit =
                    matches!(&message, Message::Notification(note) if note.method == Exit::METHOD);
                // The receiver is gone.
                if messages.send(message).is_err() || is_exit {
                    return Ok(());
                }
            }
            Err(error) => {
                let message = format!("skipped an invalid message ({error})");
                let params = LogMessageParams { typ: MessageType::ERROR, message };
                let note = Notification::new(LogMessage::METHOD.to_owned(), params);
                let _ = complaints.send(note.into());
            }
        }
    }
    Ok(())
}

/// The next message's content; nothing at the end of the input.
fn read_body(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = std::str::from_utf8(&line).ok().and_then(|line| line.strip_suffix("\r\n"));
        match line.ok_or_else(|| wrong("invalid message header"))? {
            "" => break,
            line => {
                let (name, value) = line.split_once(':').unwrap_or((line, ""));
                if name.eq_ignore_ascii_case("Content-Length") {
                    length = value.trim().parse().ok();
                }
            }
        }
    }
    let length: usize = length.ok_or_else(|| wrong("a message has no valid Content-Length"))?;
    if length > MAX_LENGTH {
        return Err(wrong(&format!("a message has {length} bytes; the limit is {MAX_LENGTH}")));
    }
    // It grows with the received bytes.
    let mut body = Vec::new();
    match input.take(length as u64).read_to_end(&mut body)? {
        read if read < length => Ok(None),
        _ => Ok(Some(body)),
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::unbounded;

    use super::*;

    /// The methods that arrive, and how the reading ends.
    fn read(input: &str) -> (Vec<String>, Option<String>) {
        let ((messages, came), (complaints, said)) = (unbounded(), unbounded());
        let end = read_all(&mut input.as_bytes(), &messages, &complaints);
        drop((messages, complaints));
        let method = |message: Message| match message {
            Message::Notification(note) => note.method,
            other => panic!("{other:?}"),
        };
        let methods = came.into_iter().chain(said).map(method).collect();
        (methods, end.err().map(|error| error.to_string()))
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn what_is_not_a_message_is_left_out() {
        let note = framed("{\"jsonrpc\":\"2.0\",\"method\":\"a\"}");
        for body in ["{\"jsonrpc\":", "[]", "null", "5", "", "{}", "\u{0}"] {
            let (methods, end) = read(&format!("{note}{}{note}", framed(body)));
            assert_eq!((methods.len(), end), (3, None), "{body}: {methods:?}");
            assert_eq!(methods[2], "window/logMessage");
        }
        let deep = framed(&"[".repeat(100_000));
        assert_eq!(read(&format!("{deep}{note}")).0.len(), 2);
    }

    #[test]
    fn what_ends_the_input() {
        assert_eq!(read(""), (vec![], None));
        assert_eq!(read("Content-Length: 9\r\n\r\n{}"), (vec![], None));
        for head in ["Content-Length: 99999999999999", "Content-Length: -1", "Other: 3"] {
            let (methods, end) = read(&format!("{head}\r\n\r\n{{}}"));
            assert!(methods.is_empty() && end.is_some(), "{head}");
        }
        let exit = framed("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}");
        assert_eq!(read(&format!("{exit}{exit}")).0, ["exit"]);
    }
}
