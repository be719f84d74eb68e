//! Times of scripted sessions, for `scripts/bench.sh lsp`: from a keystroke to its findings, and from the opening of a project to
//! its first answer and to all findings. Prints one JSON object on a line for each row.
//!
//!     bench_sessions FOLDER    the folder of a project of many files, in which `res://level_0.tscn` is

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value as Json, json};

const KEYSTROKES: u32 = 30;

fn main() {
    let root = std::env::args().nth(1).expect("the folder of a project");
    let root = std::fs::canonicalize(root).expect("the folder is there");
    for (name, nodes) in [("typical scene", 60), ("scene of 2 MB", 24_000)] {
        let text = scene(nodes);
        let mut times: Vec<Duration> = keystrokes(&text);
        times.sort();
        print_row(
            &format!("keystroke in a {name}"),
            text.len(),
            times[times.len() / 2],
            times[times.len() - 1],
        );
    }
    let uri = format!("file://{}/level_0.tscn", root.display());
    let text =
        std::fs::read_to_string(root.join("level_0.tscn")).expect("res://level_0.tscn is there");
    let start = Instant::now();
    let mut session =
        Session::open(&json!([{"uri": format!("file://{}", root.display()), "name": "bench"}]));
    session.did_open(&uri, &text);
    session.request("textDocument/documentSymbol", &json!({"textDocument": {"uri": uri}}));
    let first = start.elapsed();
    session.wait_for(|note| {
        note.method == "textDocument/publishDiagnostics" && note.params["uri"] == *uri
    });
    let own = start.elapsed();
    // The broken file at the end of the project's list.
    session.wait_for(|note| {
        note.method == "textDocument/publishDiagnostics"
            && note.params["uri"].as_str().is_some_and(|uri| uri.ends_with("zz_last.tscn"))
    });
    let all = start.elapsed();
    print_row("project opened: first answer", 0, first, first);
    print_row("project opened: findings of the open file", 0, own, own);
    print_row("project opened: findings of all files", 0, all, all);
    println!("{}", json!({"suite": "lsp", "what": "memory of the process", "bytes": memory()}));
}

fn print_row(what: &str, bytes: usize, median: Duration, worst: Duration) {
    let milliseconds = |time: Duration| (time.as_secs_f64() * 1e5).round() / 100.0;
    println!(
        "{}",
        json!({"suite": "lsp", "what": what, "bytes": bytes, "median_ms": milliseconds(median), "worst_ms": milliseconds(worst)})
    );
}

/// A scene as Godot saves it.
fn scene(nodes: usize) -> String {
    let mut text = "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\n".to_owned();
    for number in 0..nodes {
        let _ = write!(
            text,
            "\n[node name=\"Sprite{number}\" type=\"Sprite2D\" parent=\".\"]\nposition = Vector2({number}, 4)\n"
        );
    }
    text
}

/// From each of some keystrokes in a text until its findings are there.
fn keystrokes(text: &str) -> Vec<Duration> {
    let folder = tempfile::tempdir().expect("a folder");
    let project =
        "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n";
    std::fs::write(folder.path().join("project.godot"), project).expect("a project");
    let uri = format!("file://{}/a.tscn", folder.path().display());
    let mut session = Session::open(&Json::Null);
    session.did_open(&uri, text);
    let is_for = |version: u32| {
        let uri = uri.clone();
        move |note: &Notification| {
            note.method == "textDocument/publishDiagnostics"
                && note.params["uri"] == *uri
                && note.params["version"] == version
        }
    };
    session.wait_for(is_for(1));
    // A digit of a number in the middle.
    let line = text[..text.len() / 2].matches('\n').count() / 3 * 3 + 2;
    let place = text.lines().nth(line).and_then(|line| line.find("Vector2("));
    let place = place.expect("each third line sets a position") + 8;
    let mut times = Vec::new();
    for version in 2..KEYSTROKES + 2 {
        let range = json!({"start": {"line": line, "character": place}, "end": {"line": line, "character": place}});
        let start = Instant::now();
        let changes = json!([{"range": range, "text": "1"}]);
        let document = json!({"uri": uri, "version": version});
        session.notify(
            "textDocument/didChange",
            &json!({"textDocument": document, "contentChanges": changes}),
        );
        session.wait_for(is_for(version));
        times.push(start.elapsed());
    }
    times
}

struct Session {
    connection: Connection,
    next_id: i32,
    notes: Vec<Notification>,
}

impl Session {
    fn open(folders: &Json) -> Self {
        let (server, connection) = Connection::memory();
        let options = gdscene_lsp::ServeOptions { cache: godot_project::CachePlace::None };
        std::thread::spawn(move || gdscene_lsp::serve_over(&server, options));
        let mut session = Self { connection, next_id: 0, notes: Vec::new() };
        session.request(
            "initialize",
            &json!({"capabilities": {}, "processId": null, "workspaceFolders": folders}),
        );
        session.notify("initialized", &json!({}));
        session
    }

    fn did_open(&self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "godot-scene", "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}));
    }

    fn notify(&self, method: &str, params: &Json) {
        let note = Notification::new(method.to_owned(), params);
        self.connection.sender.send(note.into()).expect("the server runs");
    }

    fn request(&mut self, method: &str, params: &Json) {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(request.into()).expect("the server runs");
        loop {
            match self.connection.receiver.recv().expect("the server runs") {
                Message::Response(response) if response.id == id => return,
                Message::Notification(note) => self.notes.push(note),
                Message::Request(_) | Message::Response(_) => {}
            }
        }
    }

    fn wait_for(&mut self, is_meant: impl Fn(&Notification) -> bool) {
        if self.notes.iter().any(&is_meant) {
            return;
        }
        loop {
            match self.connection.receiver.recv().expect("the server runs") {
                Message::Notification(note) if is_meant(&note) => return,
                Message::Notification(note) => self.notes.push(note),
                Message::Request(_) | Message::Response(_) => {}
            }
        }
    }
}

/// The memory of the process, if the system reports it.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
