//! Definitions in scripts, and uses.

use super::{DefinedNames, KindOfName, add_script};

/// The names that a script defines, `kind: name` each, and `kind: *` for an open kind.
fn defined(text: &str, is_csharp: bool) -> Vec<String> {
    let mut found = DefinedNames::default();
    add_script(text.as_bytes(), is_csharp, &mut found);
    let names = found.names.iter().map(|(kind, name)| format!("{kind:?}: {name}"));
    names.chain(found.open.iter().map(|kind| format!("{kind:?}: *"))).collect()
}

#[test]
fn definitions_in_gdscript() {
    let check =
        |text: &str, expected: &[&str]| assert_eq!(defined(text, false), expected, "{text}");
    check("add_to_group(\"a\")", &["Group: a"]);
    check("node.add_to_group( &\"a b\" , true)", &["Group: a b"]);
    check("const G := &\"a\"\nfunc f():\n\tadd_to_group(G)", &["Group: a"]);
    check("const G: String = 'a'\nfunc f():\n\tadd_to_group(G)", &["Group: a"]);
    check("add_to_group(name)", &["Group: *"]);
    check("add_to_group(\"a\" + str(1))", &["Group: *"]);
    check("add_to_group(\"a\\n\")", &["Group: *"]);
    check("add_to_group.call_deferred(\"a\")", &["Group: *"]);
    check("call(\"add_to_group\", \"a\")", &["Group: *"]);
    check("const G = 1\nconst H = G\nfunc f():\n\tadd_to_group(H)", &["Group: *"]);
    check("my_add_to_group(a)\nadd_to_groups(a)", &[]);
    check("AudioServer.set_bus_name(f(1, 2), \"a\")", &["Bus: a"]);
    check("AudioServer.set_bus_name([\"),\", 2], \"a\")", &["Bus: a"]);
    check("AudioServer.set_bus_name(1)", &["Bus: *"]);
    check("InputMap.add_action(\"a\", 0.5)", &["Action: a"]);
    check("ProjectSettings.set_setting(\"input/a\", {})", &["Action: a", "Setting: input/a"]);
    check("ProjectSettings.set_setting(\"audio/a\", {})", &["Setting: audio/a"]);
    check("ProjectSettings.set_setting(path, {})", &["Setting: *"]);
    check("ProjectSettings.set_setting(\"input/%s\" % a, {})", &["Action: *", "Setting: *"]);
    check("ProjectSettings.set(\"a/b\", 1)", &["Setting: a/b"]);
    check("ProjectSettings[path] = 1", &["Setting: *"]);
    check("print(ProjectSettings.get_setting(\"a/b\"))", &[]);
    check("var s = Shader.new()", &["ShaderParameter: *"]);
    check("var s: VisualShaderNode", &["ShaderParameter: *"]);
    check("var s = MyShader.new()", &[]);
}

#[test]
fn definitions_in_csharp() {
    assert_eq!(defined("AddToGroup(\"a\");", true), ["Group: a"]);
    assert_eq!(defined("const string G = \"a\";\nvoid F() { AddToGroup(G); }", true), ["Group: a"]);
    assert_eq!(defined("AddToGroup(Names.Group);", true), ["Group: *"]);
    assert_eq!(defined("var s = new Shader();", true), ["ShaderParameter: *"]);
    assert_eq!(defined("add_to_group(\"a\")", true), Vec::<String>::new());
}

#[test]
fn any_text_is_read() {
    let mut random = fastrand::Rng::with_seed(5);
    let parts = [
        "add_to_group",
        "(",
        ")",
        "\"",
        "'",
        "\\",
        ",",
        "a",
        "const ",
        "=",
        "\n",
        "[",
        "é",
        "&",
        "set_bus_name",
    ];
    for _ in 0..20_000 {
        let count = random.usize(..12);
        let text: String = (0..count).map(|_| parts[random.usize(..parts.len())]).collect();
        for name in defined(&text, random.bool()) {
            assert!(name.starts_with("Group: ") || name.starts_with("Bus: "), "{name} in {text}");
        }
    }
}

#[test]
fn kinds_are_in_order() {
    for (index, kind) in crate::names::KINDS.iter().enumerate() {
        assert_eq!(kind.id as usize, index, "{}", kind.word);
        assert_eq!(super::DEFINERS[index].0, kind.id);
    }
    assert_eq!(crate::names::NameKind::of(KindOfName::Metadata).word, "metadata");
}
