use super::refusal::{FormatBug, FormatRefusal};
use super::{FormatOptions, format, proof};
use crate::syntax;

fn formatted(text: &str) -> String {
    let formatted = format(text.as_bytes(), &FormatOptions::default()).unwrap();
    String::from_utf8(formatted.text).unwrap()
}

/// Compares what becomes of `text` after `header`; it must also be a fixpoint.
#[track_caller]
fn check_after(header: &str, text: &str, expected: &str) {
    let expected = format!("{header}{expected}");
    assert_eq!(formatted(&format!("{header}{text}")), expected);
    assert_eq!(formatted(&expected), expected);
}

#[track_caller]
fn check(text: &str, expected: &str) {
    check_after("[gd_scene format=3]\n\n", text, expected);
}

/// Compares the layout of a value.
#[track_caller]
fn check_value(value: &str, expected: &str) {
    let property = |value| format!("[node name=\"A\"]\na = {value}\n");
    check(&property(value), &property(expected));
}

/// The same in Godot 3's manner.
#[track_caller]
fn check_godot3(value: &str, expected: &str) {
    let property = |value| format!("[node name=\"A\"]\na = {value}\n");
    check_after("[gd_scene format=2]\n\n", &property(value), &property(expected));
}

fn refusal(text: &str) -> FormatRefusal {
    format(text.as_bytes(), &FormatOptions::default()).unwrap_err()
}

#[test]
fn tags() {
    check("[ node  name = \"A\"\n\ttype=\"B\" ]", "[node name=\"A\" type=\"B\"]\n");
    check(
        "[node name=\"A\" index= \"0\" unique_id = 12]",
        "[node name=\"A\" index=\"0\" unique_id=12]\n",
    );
    check("[node name=\"A\" groups=[ \"a\",\"b\" ]]", "[node name=\"A\" groups=[\"a\", \"b\"]]\n");
    check(
        "[node name=\"A\" instance = ExtResource( \"1_a\" )]",
        "[node name=\"A\" instance=ExtResource(\"1_a\")]\n",
    );
    check("[some . thing : else]", "[some.thing:else]\n");
}

#[test]
fn binds_have_a_space() {
    let connection = "[connection signal=\"s\" from=\"A\" to=\".\" method=\"m\" binds=";
    check(&format!("{connection}[1,2]]"), &format!("{connection} [1, 2]]\n"));
    check("[node name=\"A\" binds= [1]]", "[node name=\"A\" binds=[1]]\n");
}

#[test]
fn blank_lines() {
    check(
        "[ext_resource id=\"1\"]\n\n[ext_resource id=\"2\"]\n[sub_resource id=\"3\"]\n\nb = 1\n\n\n\
         c = 2\n[node name=\"A\"]\n[node name=\"B\"]\n[connection signal=\"a\"]\n\n\
         [connection signal=\"b\"]\n[editable path=\"A\"]\n\n\n[editable path=\"B\"]\n\n\n",
        "[ext_resource id=\"1\"]\n[ext_resource id=\"2\"]\n\n[sub_resource id=\"3\"]\nb = 1\n\
         c = 2\n\n[node name=\"A\"]\n\n[node name=\"B\"]\n\n[connection signal=\"a\"]\n\
         [connection signal=\"b\"]\n\n[editable path=\"A\"]\n[editable path=\"B\"]\n",
    );
}

#[test]
fn properties() {
    check("[node name=\"A\"]\n\t a=1 \r\n b  =\n2", "[node name=\"A\"]\na = 1\nb = 2\n");
    check(
        "[node name=\"A\"] a = 1 \"b c\" = [1] c = true [node name=\"B\"]",
        "[node name=\"A\"]\na = 1\n\"b c\" = [1]\nc = true\n\n[node name=\"B\"]\n",
    );
}

#[test]
fn values() {
    check_value("[ 1,2 ,3 ]", "[1, 2, 3]");
    check_value("[ ]", "[]");
    check_value("[[1],[ [] ]]", "[[1], [[]]]");
    check_value("Vector2 ( 1,-2.50 )", "Vector2(1, -2.50)");
    check_value("PackedInt32Array( )", "PackedInt32Array()");
    check_value("{ }", "{}");
    check_value("{\"a\" :1,&\"b\":[ {}, { 2:3 } ]}", "{\n\"a\": 1,\n&\"b\": [{}, {\n2: 3\n}]\n}");
    check_value("Array[ int ] ( [1,2] )", "Array[int]([1, 2])");
    check_value("Array[ ExtResource( \"1\" ) ]([ ])", "Array[ExtResource(\"1\")]([])");
    check_value(
        "Dictionary[String,Resource]({\"a\":null})",
        "Dictionary[String, Resource]({\n\"a\": null\n})",
    );
    check_value("Resource( \"a\" ,\"b\" )", "Resource(\"a\", \"b\")");
    check_value("#ff0000", "#ff0000");
    check_value("[1, 2, ]", "[1, 2,]");
}

/// Godot ends the line behind an object, wherever it stands.
#[test]
fn objects() {
    check(
        "[node name=\"A\"]\na = Object( RefCounted, \"script\" : null )\nb = 1",
        "[node name=\"A\"]\na = Object(RefCounted,\"script\":null)\n\nb = 1\n",
    );
    check(
        "[node name=\"A\"]\na = Object(A,\"b\":[1,2])\n[node name=\"B\"]",
        "[node name=\"A\"]\na = Object(A,\"b\":[1, 2])\n\n\n[node name=\"B\"]\n",
    );
    check_value("[Object(A,\"b\":1), 2]", "[Object(A,\"b\":1)\n, 2]");
    check_value("Object(A,\"b\":1)", "Object(A,\"b\":1)\n");
}

#[test]
fn strings_keep_their_bytes() {
    for string in [
        "\"a\r\n  b \n\n\"",
        "&\"  \"",
        "\"[node]\\\"\t\"",
        "\"; no comment\"",
        "\"\u{e9}\u{1f600}\"",
    ] {
        check_value(string, string);
    }
    let text = b"[gd_scene format=3]\n\n[node name=\"\xff\xfe\"]\n";
    assert!(!format(text, &FormatOptions::default()).unwrap().is_changed);
}

#[test]
fn comments() {
    let same = "; first\n\n[gd_scene format=3] ; header\n\n; before\n[node name=\"A\"] ; tag\n\
                ; before a\na = [1, ; one\n2] ; a\n\n; before b\n\nb = 1\n; last\n";
    assert_eq!(formatted(same), same);
    check("[node name=\"A\"] ;x \t\r\n  ;y\r\n", "[node name=\"A\"] ;x\n;y\n");
    check(
        "[node name=\"A\"]\n; b\n[node name=\"B\"]",
        "[node name=\"A\"]\n\n; b\n[node name=\"B\"]\n",
    );
    check(
        "[node name=\"A\"]\n; a\n\n\n\n[node name=\"B\"]",
        "[node name=\"A\"]\n; a\n\n[node name=\"B\"]\n",
    );
    check(
        "[node name=\"A\"] ; a\n[node name=\"B\"]",
        "[node name=\"A\"] ; a\n\n[node name=\"B\"]\n",
    );
    check(
        "[node ; n\nname=\"A\"]\na ; key\n=; is\n{ ; d\n}",
        "[node ; n\nname=\"A\"]\na ; key\n= ; is\n{ ; d\n}\n",
    );
    check("[node name=\"A\"]\n\n\n\n; end\n\n\n", "[node name=\"A\"]\n\n; end\n");
    check(
        "[node name=\"A\"]\na = Object(B,\"c\":1) ; x\nb = 2",
        "[node name=\"A\"]\na = Object(B,\"c\":1) ; x\nb = 2\n",
    );
    check("[node name=\"A\"]\na = [\n\n; x\n\n1]", "[node name=\"A\"]\na = [\n; x\n1]\n");
    check("[node name=\"A\"] ; no end", "[node name=\"A\"] ; no end\n");
}

#[test]
fn godot3() {
    check_godot3("Vector2(1,2)", "Vector2( 1, 2 )");
    check_godot3("[1,[ ]]", "[ 1, [  ] ]");
    check_godot3("PoolRealArray()", "PoolRealArray(  )");
    check_godot3("ExtResource(1)", "ExtResource( 1 )");
    check_godot3("NodePath( \"a\" )", "NodePath(\"a\")");
    check_godot3("{}", "{\n}");
    check_godot3("{\"a\":1}", "{\n\"a\": 1\n}");
    let header = "[gd_scene format=2]\n\n";
    check_after(
        header,
        "[node name=\"A\" groups=[ \"a\",\"b\" ]]",
        "[node name=\"A\" groups=[\"a\", \"b\"]]\n",
    );
    check_after(
        header,
        "[node name=\"A\" groups=[ \"a\",\"b\", ]]",
        "[node name=\"A\" groups=[\n\"a\",\n\"b\",\n]]\n",
    );
    check_after(
        header,
        "[connection signal=\"a\" binds=[1]]",
        "[connection signal=\"a\" binds= [ 1 ]]\n",
    );
}

#[test]
fn what_stays_as_it_is() {
    let text = "[gd_scene load_steps=7 format=3 uid=\"uid://a\"]\n\n[ext_resource id=\"2\" path=\"b\"]\n\
                [ext_resource id=\"1\" path=\"a\"]\n\n[node type=\"B\" name=\"A\"]\n\"z\" = 1.50\na = {\n2: 1,\n1: 2\n}\n\
                b = @\"x\"\n";
    assert_eq!(formatted(text), text);
}

#[test]
fn refusals() {
    let node = |property: &str| format!("[gd_scene format=3]\n\n[node name=\"A\"]\n{property}\n");
    for broken in [
        "a = [1",
        "a\nb = 1",
        "# x\nb = 1",
        "a = 1 2\nb = 1",
        "a b = 1",
        "a = 'x'",
        "[node",
        "a = \"\0\"",
    ] {
        let refusal = refusal(&node(broken));
        assert!(matches!(refusal, FormatRefusal::Syntax { .. }), "{broken}: {refusal}");
    }
    let message = refusal(&node("a = Vector2(1")).to_string();
    assert_eq!(message, "error[SYN007 unterminated]: this construct has no end; close it with `)`");
    assert!(matches!(refusal("\u{feff}[gd_scene format=3]\n"), FormatRefusal::Syntax { .. }));
    for format in ["1", "5", "-1", "\"3\"", "99999999999999999999"] {
        let refusal = refusal(&format!("[gd_scene format={format}]\n"));
        assert!(matches!(refusal, FormatRefusal::UnknownFormat { .. }), "{format}: {refusal}");
    }
    for empty in ["", "\n", "; comment\n"] {
        assert_eq!(refusal(empty), FormatRefusal::Empty);
    }
}

#[test]
fn escn() {
    let text = b"[gd_scene format=2]\n[node name=\"A\"]\n";
    let mut options = FormatOptions::for_path("res://a.ESCN");
    assert_eq!(format(text, &options), Err(FormatRefusal::Escn));
    options.force_escn = true;
    assert!(format(text, &options).unwrap().is_changed);
}

/// The comparison itself, fed with outcomes that a wrong layout could have.
#[test]
fn proof_finds_wrong_layouts() {
    let text = b"[gd_scene format=3]\n\n[node name=\"A\"] ; c\na = 1\nb = 2\n";
    let (_, tokens) = syntax::parse_with_tokens(text);
    let outcome = |formatted: &str| proof::check(text, &tokens, formatted.as_bytes());
    assert_eq!(outcome("[gd_scene format=3]\n\n[node name=\"A\"] ; c\na = 1\nb = 2\n"), Ok(()));
    for (formatted, bug) in [
        ("[gd_scene format=3]\n\n[node name=\"A\"] ; c\na = 1\n", FormatBug::Tokens),
        ("[gd_scene format=3]\n\n[node name=\"A\"] ; c\na = 1\nb = 3\n", FormatBug::Tokens),
        ("[gd_scene format=3]\n\n[node name=\"A\"] ; c\nb = 2\na = 1\n", FormatBug::Tokens),
        ("[gd_scene format=3]\n\n[node name=\"A\"]\na = 1\nb = 2\n", FormatBug::Comments),
        ("[gd_scene format=3]\n\n[node name=\"A\"]\na = 1 ; c\nb = 2\n", FormatBug::Comments),
        ("[gd_scene format=3]\n\n[node name=\"A\"]\n; c\na = 1\nb = 2\n", FormatBug::Comments),
        ("[gd_scene format=3]\n\n[node name=\"A\"] ; c a = 1\nb = 2\n", FormatBug::Comments),
        ("[gd_scene format=3]\n\n[node name=\"A\"] ; c\na = 1\nb = \n", FormatBug::Errors),
        ("[gd_scene format=3]\n[node name=\"A\"] ; c\na = 1\nb = 2\n", FormatBug::NotIdempotent),
    ] {
        assert_eq!(outcome(formatted), Err(FormatRefusal::Bug(bug)), "{formatted}");
    }
}
