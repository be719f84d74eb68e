//! A client for tests: it writes lines to a server and reads its answers.

// Each test is a crate of its own, and none uses all of this.
#![allow(dead_code, reason = "each test uses a part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gdscene_mcp::{ServeError, ServeOptions, serve_over};
use godot_project::CachePlace;
use serde_json::{Value as Json, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder with a small project.
pub(crate) struct TestProject {
    /// Removed when this is dropped. The project is in a folder below, next to which other files may be.
    pub(crate) folder: TempDir,
}

pub(crate) const SCENE: &str = "\
[gd_scene format=3 uid=\"uid://btest0level00\"]

[ext_resource type=\"Script\" path=\"res://player.gd\" id=\"1_a\"]

[node name=\"Level\" type=\"Node2D\"]

[node name=\"Player\" type=\"Node2D\" parent=\".\"]
script = ExtResource(\"1_a\")
health = 5
";

pub(crate) const SCRIPT: &str = "\
class_name Player
extends Node2D

signal died

@export var health := 3


func hurt(amount: int) -> void:
\thealth -= amount
";

impl TestProject {
    pub(crate) fn new() -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(project.root()).unwrap();
        project.write(
            "project.godot",
            "config_version=5\n\n[application]\n\nconfig/name=\"Small\"\nrun/main_scene=\"res://level.tscn\"\n\
             config/features=PackedStringArray(\"4.6\")\n",
        );
        project.write("level.tscn", SCENE);
        project.write("player.gd", SCRIPT);
        project
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("game")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    pub(crate) async fn client(&self) -> Client {
        Client::start(&self.root(), false).await
    }
}

/// One session.
pub(crate) struct Client {
    input: Option<WriteHalf<DuplexStream>>,
    output: BufReader<ReadHalf<DuplexStream>>,
    server: JoinHandle<Result<(), ServeError>>,
    next_id: i64,
}

/// The answer of a tool.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) is_error: bool,
    pub(crate) data: Json,
}

impl Client {
    pub(crate) async fn start(root: &Path, is_read_only: bool) -> Self {
        let mut client = Self::connect(root, is_read_only);
        let parameters = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}
        });
        let answer = client.request("initialize", parameters).await;
        assert_eq!(answer["result"]["serverInfo"]["name"], "gdscene", "{answer}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    /// Before anything is said.
    pub(crate) fn connect(root: &Path, is_read_only: bool) -> Self {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (output, input) = tokio::io::split(near);
        let (far_input, far_output) = tokio::io::split(far);
        let root = root.to_owned();
        let options = ServeOptions { root, is_read_only, cache: CachePlace::None };
        let server = tokio::spawn(serve_over(options, far_input, far_output));
        Self { input: Some(input), output: BufReader::new(output), server, next_id: 1 }
    }

    pub(crate) async fn send(&mut self, message: &Json) {
        self.send_line(&message.to_string()).await;
    }

    pub(crate) async fn send_line(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        input.flush().await.unwrap();
    }

    /// The next message of the server.
    pub(crate) async fn receive(&mut self) -> Json {
        let mut line = String::new();
        timeout(PATIENCE, self.output.read_line(&mut line)).await.expect("an answer").unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    pub(crate) async fn request(&mut self, method: &str, parameters: Json) -> Json {
        let id = self.begin(method, parameters).await;
        loop {
            let answer = self.receive().await;
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Sends a request; its id.
    pub(crate) async fn begin(&mut self, method: &str, parameters: Json) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}))
            .await;
        id
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Json) -> Answer {
        let parameters = json!({"name": tool, "arguments": arguments});
        let answer = self.request("tools/call", parameters).await;
        Answer::of(&answer)
    }

    /// The text of a call that goes well.
    pub(crate) async fn text(&mut self, tool: &str, arguments: Json) -> String {
        let answer = self.call(tool, arguments).await;
        assert!(!answer.is_error, "{}", answer.text);
        answer.text
    }

    /// The text of a call that is refused.
    pub(crate) async fn refusal(&mut self, tool: &str, arguments: Json) -> String {
        let answer = self.call(tool, arguments).await;
        assert!(answer.is_error, "{}", answer.text);
        answer.text
    }

    pub(crate) async fn tools(&mut self) -> Vec<Json> {
        let answer = self.request("tools/list", json!({})).await;
        answer["result"]["tools"].as_array().unwrap().clone()
    }

    /// Closes the input; how the server ended.
    pub(crate) async fn end(mut self) -> Result<(), ServeError> {
        let mut input = self.input.take().unwrap();
        input.shutdown().await.unwrap();
        timeout(PATIENCE, self.server).await.expect("the server ends").unwrap()
    }
}

impl Answer {
    pub(crate) fn of(answer: &Json) -> Self {
        let result = &answer["result"];
        assert!(result.is_object(), "{answer}");
        Self {
            text: result["content"][0]["text"].as_str().unwrap().to_owned(),
            is_error: result["isError"] == true,
            data: result["structuredContent"].clone(),
        }
    }
}
