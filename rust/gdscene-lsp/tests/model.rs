//! Random edits and requests: the server's knowledge equals the texts, whatever came before.

use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use serde_json::{Value as Json, json};

use crate::common::{Client, LEVEL, TestProject, full_capabilities, place_at, plain};

const ROUNDS: usize = 400;

/// The texts that a client types: parts of scenes, mostly without meaning at their place.
const PIECES: &[&str] = &[
    "\n",
    "\"",
    "[",
    "]",
    "=",
    "é",
    "😀",
    "\r\n",
    " ",
    "{",
    "[node name=\"A\" type=\"Node\" parent=\".\"]\n",
    "position = Vector2(1, 2)\n",
    "[ext_resource type=\"Script\" path=\"res://player.gd\" id=\"1_a\"]\n",
    "ExtResource(\"1_a\")",
    "; comment\n",
    "parent=\"Player\"",
    "\u{0}",
    "[connection signal=\"ready\" from=\".\" to=\".\" method=\"run\"]\n",
];

const REQUESTS: &[&str] = &[
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/completion",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
    "textDocument/codeAction",
    "textDocument/prepareRename",
    "textDocument/documentColor",
    "textDocument/codeLens",
    "textDocument/selectionRange",
    "textDocument/diagnostic",
];

/// A place in a text, between two characters.
fn boundary(text: &str, rng: &mut Rng) -> usize {
    let mut at = rng.usize(..=text.len());
    while !text.is_char_boundary(at) || text[..at].ends_with('\r') && text[at..].starts_with('\n') {
        at -= 1;
    }
    at
}

fn change(text: &mut String, rng: &mut Rng) -> Json {
    let (one, other) = (boundary(text, rng), boundary(text, rng));
    let start = one.min(other);
    // Mostly small, as one types.
    let mut end = if rng.u8(..) < 200 { start } else { one.max(other).min(start + 80) };
    while !text.is_char_boundary(end)
        || text[..end].ends_with('\r') && text[end..].starts_with('\n')
    {
        end += 1;
    }
    let new = PIECES[rng.usize(..PIECES.len())];
    let range = json!({"start": place_at(text, start), "end": place_at(text, end)});
    text.replace_range(start..end, new);
    json!([{"range": range, "text": new}])
}

fn request(client: &mut Client, uri: &str, text: &str, method: &str, rng: &mut Rng) -> Json {
    let position = place_at(text, boundary(text, rng));
    let range = json!({"start": position, "end": position});
    let params = json!({
        "textDocument": {"uri": uri}, "position": position, "positions": [position], "range": range,
        "context": {"diagnostics": [], "includeDeclaration": true},
    });
    let id = client.begin(method, params);
    // A refusal is an answer too; a mistake of the server's own is not.
    match client.answer(&id).response_result {
        Ok(answer) => answer,
        Err(error) => {
            assert!(
                !error.message.contains("internal error of gdscene"),
                "{method}: {error:?}\n{text}"
            );
            Json::Null
        }
    }
}

#[test]
fn no_answer_is_stale() {
    let project = TestProject::new();
    let mut capabilities = full_capabilities();
    capabilities["textDocument"]["diagnostic"] = json!({});
    let mut client = project.client_with(capabilities.clone());
    let mut fresh = project.client_with(capabilities);
    let uri = project.uri("level.tscn");
    let mut rng = Rng::with_seed(7);
    let mut text = LEVEL.to_owned();
    client.open(&uri, &text);
    for round in 0..ROUNDS {
        let version = round as i32 + 2;
        for _ in 0..rng.usize(1..4) {
            let change = change(&mut text, &mut rng);
            client.change(&uri, version, change);
        }
        let method = REQUESTS[rng.usize(..REQUESTS.len())];
        let mut same = rng.clone();
        let answer = request(&mut client, &uri, &text, method, &mut rng);
        if round % 8 == 0 {
            // One that has seen nothing of the changes.
            fresh.open_as(&uri, version, &text);
            let expected = request(&mut fresh, &uri, &text, method, &mut same);
            assert_eq!(answer, expected, "{method} in round {round}\n{text}");
            fresh.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
        }
        if text.len() > 20_000 {
            text = LEVEL.to_owned();
            client.change(&uri, version, json!([{"text": text}]));
        }
    }
    client.end();
    fresh.end();
}

/// The folders with a `project.godot` in the corpus, if it is here.
fn corpus_projects() -> Vec<PathBuf> {
    let Ok(shared) = std::env::var("FV_SHARED") else { return Vec::new() };
    let mut found = Vec::new();
    let mut left = vec![Path::new(&shared).join("corpus")];
    while let Some(folder) = left.pop() {
        if folder.join("project.godot").is_file() {
            found.push(folder);
            continue;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_same_findings_as_the_command() {
    let projects = corpus_projects();
    if projects.is_empty() {
        println!("SKIPPED: projects of the corpus, which FV_SHARED has");
        return;
    }
    let mut count = 0;
    for root in projects.iter().step_by(4) {
        count += compare(root);
    }
    assert!(count > 100, "only {count} files");
}

/// How many files have the same findings in a session as in a check of the project.
fn compare(root: &Path) -> usize {
    let root = plain(&root.canonicalize().unwrap());
    let options = gdscene_lint::WorkspaceOptions::default();
    let workspace = gdscene_lint::Workspace::open(&root, &options).unwrap();
    let mut capabilities = full_capabilities();
    capabilities["textDocument"]["diagnostic"] = json!({});
    let mut client = Client::start(&json!({"capabilities": capabilities}));
    let mut count = 0;
    for file in workspace.files(gdscene_lint::Scope::All) {
        let known = workspace.project().unwrap();
        let path = known.path(file);
        let Ok(content) = known.read(file) else { continue };
        let Ok(text) = String::from_utf8(content.into_owned()) else { continue };
        let Some(uri) = ls_types::Uri::from_file_path(root.join(&path[6..])) else { continue };
        client.open(uri.as_str(), &text);
        let params = json!({"textDocument": {"uri": uri}});
        let report = client.request("textDocument/diagnostic", params.clone());
        let place = |found: &Json| {
            let start = &found["range"]["start"];
            let number = |name: &str| start[name].as_u64().unwrap() as u32 + 1;
            let code = found["code"].as_str().unwrap_or_default().to_owned();
            (number("line"), number("character"), code)
        };
        let shown: Vec<_> = report["items"].as_array().unwrap().iter().map(place).collect();
        let wanted = workspace.check(path, text.as_bytes());
        let wanted = wanted.iter().map(|found| {
            let position = found.position;
            (position.line, position.utf16_column, found.diagnostic.code.to_owned())
        });
        assert_eq!(shown, wanted.collect::<Vec<_>>(), "{path} of {}", root.display());
        client.notify("textDocument/didClose", params);
        count += 1;
    }
    client.end();
    count
}
