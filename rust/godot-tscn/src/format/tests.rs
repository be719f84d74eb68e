use hashbrown::DefaultHashBuilder;

use super::fingerprint::Fingerprint;
use super::printer::Printer;
use super::profile::FormatProfile;
use super::refusal::{FormatBug, FormatRefusal};
use super::{FormatOptions, format, verify};
use crate::godot_version::GodotVersion;
use crate::syntax;

fn formatted(text: &str) -> String {
    let formatted = format(text.as_bytes(), &FormatOptions::default()).unwrap();
    String::from_utf8(formatted.text.into_owned()).unwrap()
}

/// Compares the result for `text` after `header`; it must also be a fixpoint.
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

/// The same in Godot 3's profile.
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
fn a_scene_in_a_resource_keeps_the_line_before_its_nodes() {
    for blank in ["", "\n"] {
        let text = format!(
            "[sub_resource type=\"PackedScene\" id=\"a\"]\nx = 1\n{blank}[node name=\"B\" type=\"Node\"]\n\n\
             [node name=\"C\" type=\"Node\" parent=\".\"]\n\n[node name=\"A\" type=\"Node\"]\n"
        );
        check(&text, &text);
    }
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
    check_value("Vector2 ( 1,-2.50 )", "Vector2(1, -2.5)");
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
    check_value("#ff0000", "Color(1, 0, 0, 1)");
    check_value("[1, 2, ]", "[1, 2]");
}

/// Godot ends the line after an object, wherever it is.
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
    check_value("[Object(A, ), Object( A,\"b\":1, )]", "[Object(A,)\n, Object(A,\"b\":1)\n]");
    check_value("[Object(A,\"b\":1), 2]", "[Object(A,\"b\":1)\n, 2]");
    check_value("Object(A,\"b\":1)", "Object(A,\"b\":1)\n");
}

/// Since Godot 4.8 each property has its line.
#[test]
fn objects_in_lines() {
    let options =
        FormatOptions { target: Some(GodotVersion::godot4(8)), ..FormatOptions::default() };
    let text = "[gd_scene format=3]\n\n[node name=\"A\"]\na = [Object(A,\"b\":[1,2],\"c\": {})]\n";
    let expected =
        "[gd_scene format=3]\n\n[node name=\"A\"]\na = [Object(A,\n\"b\":[1, 2],\n\"c\":{}\n)\n]\n";
    for text in [text, expected] {
        let formatted = format(text.as_bytes(), &options).unwrap();
        assert_eq!(String::from_utf8(formatted.text.into_owned()).unwrap(), expected);
    }
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
    for property in [
        // The order of properties, and values that are not Godot's default.
        "z = 1\na = 2",
        // A key that the engine once wrote.
        "<null> = null",
        // Keys that the engine cannot sort, or sorts differently each time.
        "a = {\nNodePath(\"b\"): 1,\nNodePath(\"a\"): 1\n}",
        "a = {\n&\"z\": 1,\nVector2(1, 2): 2,\n&\"a\": 1\n}",
        "a = {\nnan: 1,\n1: 1\n}",
        // Numbers that do not fit.
        "a = Vector2i(1e10, 0)",
        // Characters that the engine wrote, although it reads letters.
        "a = &\"\\a\\v\"",
        // Comments hold the order.
        "a = {\n\"z\": 1, ; z\n\"a\": 1\n}",
        "a = {\n\"z\": 1,\n\"a\": 1 ; a\n}",
        // They end the line behind an object themselves.
        "a = [Object(A,\"b\":1) ; c\n]",
    ] {
        let text = format!("[gd_scene format=3]\n\n[node name=\"A\"]\n{property}\n");
        assert_eq!(formatted(&text), text);
    }
    let tags = "[gd_scene format=3]\n\n[ext_resource path=\"b\" id=\"2\"] ; b\n[ext_resource path=\"a\" id=\"1\"]\n\n\
                [node type=\"B\" ; type\nname=\"A\"]\n";
    assert_eq!(formatted(tags), tags);
}

#[test]
fn field_order() {
    check(
        "[node instance=ExtResource(\"1\") groups=[\"b\", \"a\"] other=1 name=\"A\" unique_id=7 index=0]",
        "[node name=\"A\" index=\"0\" unique_id=7 groups=[\"a\", \"b\"] instance=ExtResource(\"1\") other=1]\n",
    );
    check(
        "[connection to=\"B\" binds=[1] unbinds=1 flags=3 method=\"m\" from=\"A\" signal=\"s\"]",
        "[connection signal=\"s\" from=\"A\" to=\"B\" method=\"m\" flags=3 unbinds=1 binds= [1]]\n",
    );
    // The last of two is the one that counts.
    check("[node type=\"T\" name=\"A\" name=\"B\"]", "[node name=\"A\" name=\"B\" type=\"T\"]\n");
    check_after(
        "",
        "[gd_resource uid=\"u\" format=3 type=\"R\"]",
        "[gd_resource type=\"R\" format=3 uid=\"u\"]\n",
    );
}

#[test]
fn ext_resource_order() {
    check(
        "[ext_resource id=\"10_a\" path=\"c\"]\n[ext_resource path=\"b\" id=\"2_b\"]\n[ext_resource path=\"a\" id=1]\n[node name=\"A\"]",
        "[ext_resource path=\"a\" id=\"1\"]\n[ext_resource path=\"b\" id=\"2_b\"]\n[ext_resource path=\"c\" id=\"10_a\"]\n\n[node name=\"A\"]\n",
    );
}

#[test]
fn dictionary_order() {
    check_value(
        "{\"b\": 1, &\"c\": 2, \"a\": {2: 0, 1: 0}}",
        "{\n\"a\": {\n1: 0,\n2: 0\n},\n\"b\": 1,\n&\"c\": 2\n}",
    );
    // Types come before values.
    check_value(
        "{Vector2i(1, 0): 0, Vector2i(0, 5): 0, \"s\": 0, 1.5: 0, 3: 0, true: 0, false: 0, null: 0}",
        "{\nnull: 0,\nfalse: 0,\ntrue: 0,\n3: 0,\n1.5: 0,\n\"s\": 0,\nVector2i(0, 5): 0,\nVector2i(1, 0): 0\n}",
    );
    check_value(
        "{\"b\": Object(A,\"c\":1), \"a\": 2}",
        "{\n\"a\": 2,\n\"b\": Object(A,\"c\":1)\n\n}",
    );
}

#[test]
fn numbers() {
    check_value("[01, -0, 1.0, 1.50, 1., 1e3, -0.0]", "[1, 0, 1.0, 1.5, 1.0, 1000.0, 0.0]");
    check_value("Vector2(1.0, 0.30000001192)", "Vector2(1, 0.3)");
    check_value("Vector2i(1.0, 007)", "Vector2i(1, 7)");
    check_value("PackedFloat64Array(0.10, 1.0)", "PackedFloat64Array(0.1, 1)");
    check_value("[inf, -inf, inf_neg, nan]", "[inf, inf_neg, inf_neg, nan]");
    check_value("#f00", "Color(1, 0, 0, 1)");
    check_value("#33669980", "Color(0.2, 0.4, 0.6, 0.5019608)");
}

/// Godot before 4.5 prints six digits; where that would lose some, they stay.
#[test]
fn numbers_of_older_versions() {
    let formatted_for = |target, number: &str| {
        let text = format!("[gd_scene format=3]\n\n[node name=\"A\"]\na = {number}\n");
        let options = FormatOptions { target, ..FormatOptions::default() };
        let text = format(text.as_bytes(), &options).unwrap().text.into_owned();
        let text = String::from_utf8(text).unwrap();
        text.rsplit_once(" = ").unwrap().1.trim_end().to_owned()
    };
    for (number, older, newer, unknown) in [
        ("1000000.0", "1e+06", "1000000.0", "1000000.0"),
        ("1e+06", "1e+06", "1000000.0", "1e+06"),
        ("1E6", "1e+06", "1000000.0", "1e+06"),
        ("0.70710677", "0.70710677", "0.70710677", "0.70710677"),
        // For a property of 32 bits Godot 4.5 prints the first of these, for one of 64 bits the second.
        ("0.671209", "0.671209", "0.671209", "0.671209"),
        ("0.6712089999999999", "0.671209", "0.6712089999999999", "0.6712089999999999"),
        ("0.6712090", "0.671209", "0.671209", "0.671209"),
        (
            "Vector2(0.50, 1e+06)",
            "Vector2(0.5, 1e+06)",
            "Vector2(0.5, 1000000)",
            "Vector2(0.5, 1e+06)",
        ),
    ] {
        assert_eq!(formatted_for(Some(GodotVersion::godot4(4)), number), older);
        assert_eq!(formatted_for(Some(GodotVersion::godot4(5)), number), newer);
        assert_eq!(formatted_for(None, number), unknown);
    }
}

#[test]
fn strings_and_keys() {
    check_value("\"a\\nb\\t'\\'\"", "\"a\nb\t''\"");
    check_value("&\"a\nb'\"", "&\"a\\nb\\'\"");
    check_value("@\"a\"", "&\"a\"");
    check_value("PackedStringArray(\"\t\")", "PackedStringArray(\"\\t\")");
    check_value("nil", "null");
    check(
        "[node name=\"A\"]\n\"plain\" = 1\na[0] = 2\n\"b c\" = 3\n\"#x\" = 4\n\"é\" = 5",
        "[node name=\"A\"]\nplain = 1\n\"a[0]\" = 2\n\"b c\" = 3\n\"#x\" = 4\n\"é\" = 5\n",
    );
    check("[node name=\"A\"]#x = 1", "[node name=\"A\"]\n\"#x\" = 1\n");
    check("[node name=\"A\nB\" type=\"x'\"]", "[node name=\"A\\nB\" type=\"x'\"]\n");
}

#[test]
fn older_spellings() {
    check_value("PoolVector2Array( 1,2 )", "PackedVector2Array(1, 2)");
    check_value("Quat(0, 0, 0, 1)", "Quaternion(0, 0, 0, 1)");
    check_value("SubResource( 1 )", "SubResource(\"1\")");
    check_godot3("PoolVector2Array(1,2)", "PoolVector2Array( 1, 2 )");
    check_godot3("SubResource( 1 )", "SubResource( 1 )");
}

/// `format=4` means base64 and `-inf`.
#[test]
fn format_4() {
    let header = "[gd_scene format=4]\n\n";
    let node = |value| format!("[node name=\"A\"]\na = {value}\n");
    let check = |value, expected| check_after(header, &node(value), &node(expected));
    check("PackedByteArray(1, 2, 255)", "PackedByteArray(\"AQL/\")");
    check("PackedByteArray( )", "PackedByteArray()");
    check("PackedByteArray( \"AQL/\" )", "PackedByteArray(\"AQL/\")");
    check("PackedByteArray(1, ; one\n2)", "PackedByteArray(1, ; one\n2)");
    check_value("PackedByteArray(1, 2.0)", "PackedByteArray(1, 2)");
    check_value("PackedByteArray(\"AQL/\")", "PackedByteArray(\"AQL/\")");
    check("[-inf, inf_neg]", "[-inf, inf_neg]");
}

#[test]
fn load_steps() {
    let text = "[gd_scene load_steps=7 format=3]\n\n[sub_resource type=\"T\" id=\"1\"]\n\n[node name=\"A\"]\n";
    let formatted_for = |text: &str, minor| {
        let target = Some(GodotVersion::godot4(minor));
        let options = FormatOptions { target, ..FormatOptions::default() };
        String::from_utf8(format(text.as_bytes(), &options).unwrap().text.into_owned()).unwrap()
    };
    assert_eq!(formatted(text), text);
    assert_eq!(formatted_for(text, 5), text.replace('7', "2"));
    assert_eq!(formatted_for(text, 6), text.replace(" load_steps=7", ""));
    let without = text.replace(" load_steps=7", "");
    assert_eq!(formatted_for(&without, 5), text.replace('7', "2"));
    let no_resource = "[gd_scene load_steps=1 format=3]\n\n[node name=\"A\"]\n";
    assert_eq!(formatted_for(no_resource, 3), no_resource.replace(" load_steps=1", ""));
}

#[test]
fn targets_must_fit_the_format() {
    let refusal = |format_version: u8, target: &str| {
        let text = format!("[gd_scene format={format_version}]\n\n[node name=\"A\"]\n");
        let target = Some(target.parse().unwrap());
        format(text.as_bytes(), &FormatOptions { target, ..FormatOptions::default() }).err()
    };
    for (format_version, target) in [(2, "4.6"), (3, "3.x"), (4, "4.2")] {
        let refusal = refusal(format_version, target);
        assert!(matches!(refusal, Some(FormatRefusal::OtherTarget { .. })), "{refusal:?}");
    }
    assert_eq!(refusal(2, "3.6"), None);
    assert_eq!(refusal(4, "4.3"), None);
}

/// The comma goes, the comment stays after its subject.
#[test]
fn comments_behind_a_last_comma() {
    check_value("[Object(A,\"b\":1)\n, ; c\n]", "[Object(A,\"b\":1)\n; c\n]");
    check_value("{\"z\": 1, \"a\": 2, ; a\n}", "{\n\"z\": 1,\n\"a\": 2 ; a\n}");
    check_value("{\"a\": Object(A,\"b\":1), ; c\n}", "{\n\"a\": Object(A,\"b\":1) ; c\n}");
    check(
        "[node name=\"A\" groups=[\"b\", \"a\", ; a\n]]",
        "[node name=\"A\" groups=[\"b\", \"a\" ; a\n]]\n",
    );
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
        // Text that Godot reads as another value.
        "a = \"\\u00e9\"",
        "a = \"\\q\"",
        "a = 99999999999999999999",
        "a = 1b = 2",
        "a = 1\0",
    ] {
        let refusal = refusal(&node(broken));
        assert!(matches!(refusal, FormatRefusal::Syntax { .. }), "{broken}: {refusal}");
    }
    let message = refusal(&node("a = Vector2(1")).to_string();
    assert_eq!(message, "error[SYN007 unterminated]: unterminated construct; close it with `)`");
    assert!(matches!(refusal("\u{feff}[gd_scene format=3]\n"), FormatRefusal::Syntax { .. }));
    for format in ["1", "5", "-1", "\"3\"", "999999999999999999"] {
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

/// The comparison itself, fed with outcomes that a wrong formatter could have.
#[test]
fn verify_finds_wrong_outcomes() {
    let header = "[gd_scene format=3]\n\n";
    let origin = format!(
        "{header}[node type=\"T\" name=\"A\"] ; c\na = 1\nb = {{2: [1.5], 1: Vector2(1, 2)}}\n\n\
         [node name=\"S\"]\nz = 1\n"
    );
    let document = syntax::parse(origin.as_bytes());
    let options = FormatOptions::default();
    let profile = FormatProfile::of(&document, None).unwrap();
    let fingerprint = Fingerprint::new(DefaultHashBuilder::default());
    let mut printed = Printer::new(&document, profile, fingerprint).write();
    let right = String::from_utf8(printed.text.take().unwrap()).unwrap();
    let outcome = |from: &str, to: &str| {
        let text = right.replacen(from, to, 1);
        assert!(from.is_empty() || text != right, "{from}");
        verify::verify(origin.as_bytes(), &printed, text.as_bytes(), &options)
    };
    assert_eq!(outcome("", ""), Ok(()));
    for (from, to, bug) in [
        ("a = 1\n", "", FormatBug::Values),
        // The section that stayed as it was.
        ("z = 1", "z = 2", FormatBug::Values),
        ("\n[node name=\"S\"]\nz = 1\n", "", FormatBug::Values),
        ("\n[node name=\"S\"]", "\n[node name=\"S\"]\n\n[node name=\"S\"]", FormatBug::Values),
        ("\n\n[node name=\"S\"]", "\n[node name=\"S\"]", FormatBug::NotIdempotent),
        ("a = 1", "a = 2", FormatBug::Values),
        ("a = 1", "a = 1.0", FormatBug::Values),
        ("a = 1", "c = 1", FormatBug::Values),
        ("1.5", "1.25", FormatBug::Values),
        ("1.5", "1.5, 1.5", FormatBug::Values),
        ("(1, 2)", "(2, 1)", FormatBug::Values),
        ("Vector2(1", "Vector2i(1", FormatBug::Values),
        ("2: [1.5]", "1: [1.5]", FormatBug::Values),
        ("\"A\"", "\"B\"", FormatBug::Values),
        (" type=\"T\"", "", FormatBug::Values),
        (" ; c", "", FormatBug::Comments),
        (" ; c\na = 1\n", "\na = 1 ; c\n", FormatBug::Values),
        (" ; c", "\n; c", FormatBug::Comments),
        ("; c", "; d", FormatBug::Comments),
        ("a = 1", "a =", FormatBug::Errors),
        ("a = 1", "a = 01", FormatBug::NotIdempotent),
        ("a = 1", "a  = 1", FormatBug::NotIdempotent),
    ] {
        assert_eq!(outcome(from, to), Err(FormatRefusal::Bug(bug)), "{from} -> {to}");
    }
}
