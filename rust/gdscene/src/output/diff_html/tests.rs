use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use html5gum::{DefaultEmitter, Token, Tokenizer};
use sha2::{Digest, Sha256};

use super::{SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH, html};
use crate::output::diff_samples::{HOSTILE, file, files, hostile, many_nodes, real};
use crate::output::diff_words::is_hidden;

/// The elements of the page itself.
const ELEMENTS: &[&str] = &[
    "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "p", "div",
    "input", "fieldset", "legend", "label", "span", "button", "dialog", "table", "thead", "tbody",
    "tr", "th", "td", "kbd", "main", "details", "summary", "ul", "li", "col", "del", "ins", "pre",
    "script",
];

/// Elements without an end tag.
const VOID: &[&str] = &["meta", "input", "col"];

const ATTRIBUTES: &[&str] = &[
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "id",
    "hidden",
    "type",
    "placeholder",
    "aria-label",
    "aria-keyshortcuts",
    "aria-labelledby",
    "aria-hidden",
    "value",
    "checked",
    "role",
    "open",
    "scope",
    "title",
    "data-l",
    "data-s",
    "colspan",
];

/// Panics if the page has other elements or attributes than ours, or if they are not nested. Its text and how deep it is nested.
fn read(page: &str) -> (String, usize) {
    let (mut text, mut open, mut deepest) = (String::new(), Vec::new(), 0);
    // The contents of style and script are text.
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(page, emitter).flatten() {
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8(tag.name.to_vec()).unwrap();
                assert!(ELEMENTS.contains(&&*name), "<{name}>");
                for (attribute, value) in &tag.attributes {
                    let attribute = std::str::from_utf8(attribute).unwrap();
                    assert!(ATTRIBUTES.contains(&attribute), "<{name} {attribute}>");
                    if attribute == "title" {
                        text += std::str::from_utf8(value).unwrap();
                    }
                }
                if !VOID.contains(&&*name) {
                    open.push(name);
                    deepest = deepest.max(open.len());
                }
            }
            Token::EndTag(tag) => assert_eq!(open.pop().unwrap().as_bytes(), &**tag.name),
            Token::String(string)
                if open.last().is_none_or(|name| name != "script" && name != "style") =>
            {
                text += std::str::from_utf8(&string).unwrap();
            }
            Token::Doctype(_) | Token::String(_) => {}
            Token::Comment(_) | Token::Error(_) => panic!("{token:?}"),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(page.matches("<script>").count(), 1);
    (text, deepest)
}

#[test]
fn the_policy_knows_style_and_script() {
    for (text, hash) in [(STYLE, STYLE_HASH), (SCRIPT, SCRIPT_HASH)] {
        assert_eq!(BASE64_STANDARD.encode(Sha256::digest(text)), hash);
        assert!(
            !text.contains("</")
                && !text.contains("://")
                && !text.contains("url(")
                && !text.contains('\r')
        );
    }
    // The script never makes HTML of a text.
    for way in
        ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("]
    {
        assert!(!SCRIPT.contains(way), "{way}");
    }
}

#[test]
fn all_kinds() {
    let page = html("main..feature", &files());
    read(&page);
    let main = page.split("<main>").nth(1).unwrap().split("</main>").next().unwrap();
    insta::assert_snapshot!(main);
    assert!(page.starts_with("<!DOCTYPE html>\n") && page.ends_with("</html>\n"));
}

#[test]
fn nothing_breaks_out() {
    let page = html(&HOSTILE.concat(), &[hostile()]);
    let (text, _) = read(&page);
    assert!(!page.contains(|character| is_hidden(character) && !matches!(character, '\n' | '\t')));
    for hostile in HOSTILE {
        let hostile = hostile.replace('\\', "\\\\").replace('"', "\\\"");
        let shown: String = hostile
            .chars()
            .flat_map(|character| match is_hidden(character) {
                true => character.escape_default().collect::<Vec<_>>(),
                false => vec![character],
            })
            .collect();
        assert!(text.contains(&shown), "{shown}");
    }
    let lines = html("a", &[file("a.tscn", b"[gd_scene format=3]\n</pre><b>\n", b"\x1b<!--\n")]);
    assert!(read(&lines).0.contains("-</pre><b>"));
}

#[test]
fn many_and_deep() {
    let page = html("many", &[many_nodes(10_000, false)]);
    read(&page);
    assert_eq!(page.matches("<li class=\"row changed ").count(), 10_000);
    // A browser nests no deeper than 512 elements.
    let page = html("deep", &[many_nodes(800, true)]);
    let (_, deepest) = read(&page);
    assert!(deepest < 20, "{deepest}");
    assert!(page.contains(" l16\" data-l=\"801\" "));
}

#[test]
fn long_values() {
    let scene = |text: &str| {
        format!(
            "[gd_scene format=3]\n\n[node name=\"A\" type=\"Label\"]\ntext = \"{}{text}{}\"\n",
            "a ".repeat(30_000),
            "b ".repeat(30_000)
        )
    };
    let page = html("long", &[file("a.tscn", scene("old").as_bytes(), scene("new").as_bytes())]);
    let (text, _) = read(&page);
    assert!(page.len() < 200_000, "{}", page.len());
    assert!(page.contains("<del>old") || page.contains("<del>line"), "the difference is shown");
    assert!(text.contains("characters not shown"));
}

#[test]
fn real_files() {
    let files = real();
    if !files.is_empty() {
        read(&html("real", &files));
    }
}
