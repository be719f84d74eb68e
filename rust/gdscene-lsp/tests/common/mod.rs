//! A client of the protocol, and a project to open.

#![allow(dead_code, unreachable_pub, reason = "each file of tests uses a part")]
#![allow(clippy::needless_pass_by_value, reason = "so that calls read like JSON")]

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

/// A project in a folder of its own.
pub struct TestProject(TempDir);

pub const PROJECT: &str = "config_version=5\n\n[application]\n\nconfig/name=\"Test\"\nconfig/features=PackedStringArray(\"4.6\")\n";

/// A scene with a script, an instance and a connection.
pub const LEVEL: &str = "[gd_scene format=3 uid=\"uid://b1a2c3d4e5f6g\"]\n\n\
    [ext_resource type=\"Script\" path=\"res://player.gd\" id=\"1_a\"]\n\
    [ext_resource type=\"PackedScene\" path=\"res://enemy.tscn\" id=\"2_b\"]\n\n\
    [sub_resource type=\"CircleShape2D\" id=\"Circle_c\"]\nradius = 4.0\n\n\
    [node name=\"Level\" type=\"Node2D\"]\n\n\
    [node name=\"Player\" type=\"Area2D\" parent=\".\"]\nscript = ExtResource(\"1_a\")\nspeed = 3.0\n\n\
    [node name=\"Shape\" type=\"CollisionShape2D\" parent=\"Player\"]\nshape = SubResource(\"Circle_c\")\n\n\
    [node name=\"Enemy\" parent=\".\" instance=ExtResource(\"2_b\")]\n\n\
    [connection signal=\"area_entered\" from=\"Player\" to=\"Player\" method=\"_on_hit\"]\n";

const PLAYER: &str = "class_name Player\nextends Area2D\n\n@export var speed := 2.0\n\nfunc _on_hit(_area: Area2D) -> void:\n\tspeed = 1.0\n";
const ENEMY: &str = "[gd_scene format=3 uid=\"uid://c1a2c3d4e5f6g\"]\n\n[node name=\"Enemy\" type=\"Node2D\"]\n\n[node name=\"Sprite\" type=\"Sprite2D\" parent=\".\"]\n";

impl TestProject {
    pub fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.write("project.godot", PROJECT);
        project.write("level.tscn", LEVEL);
        project.write("player.gd", PLAYER);
        project.write("enemy.tscn", ENEMY);
        project
    }

    pub fn root(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn uri(&self, name: &str) -> String {
        address(&self.root().join(name))
    }

    /// A client with all that clients can do.
    pub fn client(&self) -> Client {
        self.client_with(full_capabilities())
    }

    pub fn client_with(&self, capabilities: Json) -> Client {
        let folder = json!({"uri": address(&self.root()), "name": "test"});
        Client::start(&json!({"capabilities": capabilities, "workspaceFolders": [folder]}))
    }
}

/// The address of a file, as clients write it; on Windows as VS Code does, with `%3A` for the `:` behind the drive.
pub fn address(path: &Path) -> String {
    let path = plain(path).display().to_string();
    match path.starts_with('/') {
        true => format!("file://{path}"),
        false => format!("file:///{}", path.replace('\\', "/").replacen(':', "%3A", 1)),
    }
}

/// A path without the prefix of `canonicalize` on Windows, which no client uses.
pub fn plain(path: &Path) -> PathBuf {
    let text = path.to_str().unwrap();
    text.strip_prefix(r"\\?\").map_or_else(|| path.to_owned(), PathBuf::from)
}

pub fn full_capabilities() -> Json {
    json!({
        "general": {"positionEncodings": ["utf-16"]},
        "textDocument": {
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "hover": {"contentFormat": ["markdown"]},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        },
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]}},
    })
}

/// A client, and the server in a thread.
pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<Result<(), gdscene_lsp::ServeError>>>,
    next_id: i32,
    pub capabilities: Json,
    /// The messages that came while another was waited for.
    notes: Vec<Notification>,
    answers: Vec<Response>,
}

impl Client {
    pub fn start(params: &Json) -> Self {
        let (server, connection) = Connection::memory();
        let options = gdscene_lsp::ServeOptions { cache: godot_project::CachePlace::None };
        let server = std::thread::spawn(move || gdscene_lsp::serve_over(&server, options));
        let mut client = Self {
            connection,
            server: Some(server),
            next_id: 0,
            capabilities: Json::Null,
            notes: Vec::new(),
            answers: Vec::new(),
        };
        let mut params = params.clone();
        params["processId"] = Json::Null;
        client.capabilities = client.request("initialize", params)["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    pub fn notify(&self, method: &str, params: Json) {
        self.connection.sender.send(Notification::new(method.to_owned(), params).into()).unwrap();
    }

    pub fn begin(&mut self, method: &str, params: Json) -> RequestId {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(request.into()).unwrap();
        id
    }

    pub fn answer(&mut self, id: &RequestId) -> Response {
        if let Some(index) = self.answers.iter().position(|answer| answer.id == *id) {
            return self.answers.remove(index);
        }
        loop {
            match self.receive() {
                Message::Response(response) if response.id == *id => return response,
                Message::Notification(note) => self.notes.push(note),
                Message::Response(response) => self.answers.push(response),
                Message::Request(_) => {}
            }
        }
    }

    /// The result of a request.
    pub fn request(&mut self, method: &str, params: Json) -> Json {
        let id = self.begin(method, params);
        self.answer(&id).response_result.unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    /// The message of the error that a request ends in.
    pub fn error(&mut self, method: &str, params: Json) -> String {
        let id = self.begin(method, params);
        self.answer(&id).response_result.unwrap_err().message
    }

    pub fn open(&self, uri: &str, text: &str) {
        self.open_as(uri, 1, text);
    }

    pub fn open_as(&self, uri: &str, version: i32, text: &str) {
        let document = json!({"uri": uri, "languageId": "godot", "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn change(&self, uri: &str, version: i32, changes: Json) {
        let document = json!({"uri": uri, "version": version});
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }

    /// The next published findings for a file, with this version.
    pub fn findings(&mut self, uri: &str, version: Option<i32>) -> Vec<Json> {
        loop {
            let is_meant = |note: &Notification| {
                note.method == "textDocument/publishDiagnostics"
                    && note.params["uri"] == uri
                    && note.params.get("version").cloned() == version.map(Json::from)
            };
            if let Some(index) = self.notes.iter().position(is_meant) {
                let note = self.notes.remove(index);
                return note.params["diagnostics"].as_array().unwrap().clone();
            }
            if let Message::Notification(note) = self.receive() {
                self.notes.push(note);
            }
        }
    }

    fn receive(&self) -> Message {
        self.connection
            .receiver
            .recv_timeout(Duration::from_secs(60))
            .expect("the server is silent")
    }

    pub fn end(mut self) {
        self.request("shutdown", Json::Null);
        self.exit();
    }

    /// The messages after `shutdown`.
    pub fn exit(mut self) {
        self.notify("exit", Json::Null);
        self.server.take().unwrap().join().unwrap().unwrap();
    }
}

/// The place of a text in another, in units of UTF-16, moved by this number of characters.
pub fn place(text: &str, needle: &str, by: usize) -> Json {
    place_at(text, text.find(needle).unwrap_or_else(|| panic!("no {needle:?}")) + by)
}

/// The place of a byte.
pub fn place_at(text: &str, offset: usize) -> Json {
    let line = text[..offset].matches('\n').count();
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    json!({"line": line, "character": text[start..offset].encode_utf16().count()})
}

/// A text after the edits of a client.
pub fn edited(text: &str, edits: &Json) -> String {
    let offset = |place: &Json| -> usize {
        let line = place["line"].as_u64().unwrap() as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = place["character"].as_u64().unwrap();
        let rest = &text[start..];
        let characters = rest.char_indices().find(|(_, character)| {
            let is_there = units == 0;
            units = units.saturating_sub(character.len_utf16() as u64);
            is_there
        });
        start + characters.map_or(rest.len(), |(at, _)| at)
    };
    let span = |edit: &Json| {
        let range = &edit["range"];
        let new = edit["newText"].as_str().unwrap().to_owned();
        (offset(&range["start"]), offset(&range["end"]), new)
    };
    let mut spans: Vec<_> = edits.as_array().unwrap().iter().map(span).collect();
    spans.sort();
    let mut changed = text.to_owned();
    for (start, end, new) in spans.into_iter().rev() {
        changed.replace_range(start..end, &new);
    }
    changed
}
