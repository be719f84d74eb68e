//! What cargo says of the programs that it has built.

use std::path::Path;

/// The list of test programs, for `built_test` of scripts/lib/programs.sh: a line for each, with package, target and path.
/// The target of a library's own tests is `lib`.
pub(crate) fn test_programs(messages: &str) -> String {
    messages.lines().filter_map(test_program).collect()
}

fn test_program(message: &str) -> Option<String> {
    if !message.contains("\"reason\":\"compiler-artifact\"") || !message.contains("\"test\":true},")
    {
        return None;
    }
    let path = field(message, "\"executable\":")?;
    let package = package_name(&field(message, "\"package_id\":")?)?;
    let is_library =
        message.contains("\"kind\":[\"lib\"]") || message.contains("\"kind\":[\"cdylib\"");
    // The message's first name is that of the target.
    let target = if is_library { "lib".to_owned() } else { field(message, "\"name\":")? };
    Some(format!("{package}\t{target}\t{path}\n"))
}

/// Of `path+file:///rust/godot-tscn#0.1.0`: a package's folder has its name.
fn package_name(id: &str) -> Option<String> {
    let (path, _) = id.rsplit_once('#')?;
    Some(Path::new(path).file_name()?.to_str()?.to_owned())
}

/// The text behind a key of JSON on one line.
fn field(message: &str, key: &str) -> Option<String> {
    let mut rest = message[message.find(key)? + key.len()..].strip_prefix('"')?.chars();
    let mut text = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(text),
            '\\' => text.push(rest.next()?),
            character => text.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::test_programs;

    #[test]
    fn only_test_programs_are_listed() {
        let messages = r#"{"reason":"compiler-artifact","package_id":"path+file:///r/rust/godot-tscn#0.1.0","manifest_path":"x","target":{"kind":["test"],"crate_types":["bin"],"name":"format_engine"},"profile":{"opt_level":"0","test":true},"features":[],"filenames":["/t/a"],"executable":"/t/format_engine-1","fresh":true}
{"reason":"compiler-artifact","package_id":"path+file:///r/rust/gdscene-lsp#0.1.0","target":{"kind":["lib"],"crate_types":["lib"],"name":"gdscene_lsp"},"profile":{"test":true},"executable":"C:\\t\\lsp.exe","fresh":true}
{"reason":"compiler-artifact","package_id":"path+file:///r/rust/gdscene#0.1.0","target":{"kind":["bin"],"name":"gdscene"},"profile":{"test":false},"executable":"/t/gdscene","fresh":true}
{"reason":"build-finished","success":true}
"#;
        assert_eq!(
            test_programs(messages),
            "godot-tscn\tformat_engine\t/t/format_engine-1\ngdscene-lsp\tlib\tC:\\t\\lsp.exe\n"
        );
    }
}
