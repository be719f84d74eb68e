use std::collections::BTreeSet;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::{MAX_BYTES, markdown, markdown_within, share};
use crate::output::diff_samples::{HOSTILE, file, files, hostile, many_nodes, real};
use crate::output::diff_words::visible;
use crate::output::file_diff::FileDiff;

#[test]
fn all_kinds() {
    insta::assert_snapshot!(markdown(&files()));
    assert_eq!(markdown(&[]), "No scene, resource or settings file differs.\n");
}

/// Panics if there is more than lists, tables, code, and the HTML of this module. The texts of the code.
fn code_of(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut open, mut is_block) = (0, false);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Code(code) => drop(found.insert(code.into_string())),
            Event::Html(html) | Event::InlineHtml(html) => {
                open += html.matches("<details").count();
                open -= html.matches("</details>").count();
                let mut rest = html.trim().to_owned();
                for tag in [
                    "<details>",
                    "<details open>",
                    "</details>",
                    "<summary>",
                    "</summary>",
                    "<code>",
                    "</code>",
                ] {
                    rest = rest.replace(tag, "");
                }
                assert!(
                    !rest.contains(['<', '>', '`', '@', '#'])
                        || !rest.replace("&#", "").contains(['<', '>', '`', '@', '#']),
                    "{html}"
                );
            }
            Event::Text(text) if is_block => drop(found.insert(text.into_string())),
            Event::Start(Tag::CodeBlock(_)) => is_block = true,
            Event::End(pulldown_cmark::TagEnd::CodeBlock) => is_block = false,
            Event::Start(
                Tag::Paragraph
                | Tag::List(_)
                | Tag::Item
                | Tag::Strong
                | Tag::HtmlBlock
                | Tag::Table(_)
                | Tag::TableHead
                | Tag::TableRow
                | Tag::TableCell,
            )
            | Event::End(_)
            | Event::SoftBreak
            | Event::Text(_) => {}
            other => panic!("{other:?} in\n{text}"),
        }
    }
    assert_eq!(open, 0, "each <details> is closed");
    found
}

#[test]
fn nothing_breaks_out() {
    let clean =
        file("clean.tscn", b"", b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n");
    let text = markdown(&[hostile(), clean]);
    assert_eq!(text.lines().filter(|line| line.starts_with("| ")).count(), 3, "{text}");
    assert!(!text.contains(['\u{202e}', '\u{200b}', '\u{1b}', '\u{7}', '\r']));
    let code = code_of(&text);
    for hostile in HOSTILE {
        let hostile = visible(&hostile.replace('\\', "\\\\").replace('"', "\\\"")).into_owned();
        assert!(code.iter().any(|code| code.contains(&hostile)), "{hostile:?} of {code:#?}");
    }
}

#[test]
fn lines_of_a_file_do_not_end_their_block() {
    let old = "[gd_scene format=3]\n```\n</details>\n";
    let text = markdown(&[file(
        "a.tscn",
        old.as_bytes(),
        b"[gd_scene format=3]\n````` @octocat\n\t\x1b<b>\n",
    )]);
    let code = code_of(&text);
    assert!(code.iter().any(|code| code.contains("+````` @octocat\n+\t\\u{1b}<b>\n")), "{code:?}");
}

/// The number of changes in the Markdown.
fn told(text: &str) -> usize {
    let number = |line: &str| line.split(' ').find_map(|word| word.parse::<usize>().ok());
    let below = |line: &&str| line.starts_with("- **") && line.contains(" below it");
    let items = text.lines().filter(|line| line.starts_with("- **")).count();
    let not_shown = text
        .lines()
        .filter(|line| line.contains(" not shown here"))
        .filter_map(number)
        .sum::<usize>();
    items + not_shown + text.lines().filter(below).filter_map(number).sum::<usize>()
}

fn changes(files: &[FileDiff]) -> usize {
    files.iter().filter_map(|file| file.diff.as_ref().ok()).map(|diff| diff.changes.len()).sum()
}

#[test]
fn what_does_not_fit_is_counted() {
    for count in [10, 1000, 5000] {
        let files = [many_nodes(count, false)];
        let text = markdown(&files);
        assert!(text.len() <= MAX_BYTES, "{}", text.len());
        assert!(count < 1000 || text.len() > MAX_BYTES / 2, "{} of what would fit", text.len());
        assert_eq!(told(&text), count);
        code_of(&text);
    }
    // Small files are shown as wholes next to a large one.
    let files: Vec<FileDiff> = [5000, 3, 3].map(|count| many_nodes(count, false)).into();
    let text = markdown(&files);
    assert_eq!(told(&text), changes(&files));
    assert_eq!(text.matches(" not shown here").count(), 1);
    // More files than there is room for.
    let files: Vec<FileDiff> = (0..500).map(|_| many_nodes(30, false)).collect();
    let text = markdown(&files);
    assert!(text.len() <= MAX_BYTES, "{}", text.len());
    assert!(text.contains("| and 400 files more | |\n"), "{text}");
    let left_out = text
        .lines()
        .rfind(|line| line.ends_with(" files not shown here: the comment would be too long."));
    let left_out: usize = left_out.unwrap().split(' ').next().unwrap().parse().unwrap();
    assert_eq!(left_out + text.matches("<summary>").count(), 500);
    code_of(&text);
}

#[test]
fn any_size() {
    let mut files = files();
    files.push(hostile());
    for max in (0..20_000).step_by(700) {
        let text = markdown_within(&files, max);
        assert!(text.len() < max + 1500, "{} of {max}", text.len());
        code_of(&text);
    }
}

#[test]
fn each_gets_its_share() {
    assert_eq!(share(&[10, 20, 30], 100), 100);
    assert_eq!(share(&[10, 200, 300], 100), 45);
    assert_eq!(share(&[], 100), 100);
}

#[test]
fn real_files() {
    for file in real() {
        let files = [file];
        let text = markdown(&files);
        assert!(text.len() <= MAX_BYTES);
        code_of(&text);
        assert_eq!(told(&text), changes(&files), "{}\n{text}", files[0].path);
    }
}
