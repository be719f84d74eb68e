use super::{Base, Script};

#[track_caller]
fn gdscript(text: &str) -> Script {
    let script = Script::gdscript(text.as_bytes());
    assert!(
        script.is_complete,
        "not read fully:\n{text}\n{}",
        super::outline::outline(text).unwrap_or_default()
    );
    script
}

fn functions(script: &Script) -> Vec<(&str, usize, Option<usize>)> {
    script.functions.iter().map(|found| (found.name.as_str(), found.least, found.most)).collect()
}

fn variables(script: &Script) -> Vec<(&str, bool, Option<&str>)> {
    let variables = script.variables.iter();
    variables
        .map(|found| (found.name.as_str(), found.is_exported, found.type_name.as_deref()))
        .collect()
}

#[test]
fn heads() {
    let base = |text: &str| gdscript(text).base;
    assert_eq!(base("extends Node2D\n"), Base::Class("Node2D".into()));
    assert_eq!(base("class_name A extends B.C\n"), Base::Class("B.C".into()));
    assert_eq!(base("extends \"res://a.gd\"\n"), Base::Path("res://a.gd".into(), String::new()));
    assert_eq!(base("extends 'a.gd'.Inner\n"), Base::Path("a.gd".into(), "Inner".into()));
    assert_eq!(base("var a\n"), Base::Unset);
    assert_eq!(base(""), Base::Unset);
    let script = gdscript("@tool extends Node\n@icon(\"res://a.svg\")\nclass_name A\n");
    assert!(script.is_tool && script.class_name.as_deref() == Some("A"));
    assert_eq!(script.base, Base::Class("Node".into()));
    let godot3 = gdscript("tool\nextends Node\nclass_name B, \"res://b.svg\"\n");
    assert!(godot3.is_tool && godot3.class_name.as_deref() == Some("B"));
    assert_eq!(
        gdscript("\u{feff}class_name C\r\nextends Node\r\n").class_name.as_deref(),
        Some("C")
    );
}

/// The grammar knows names of ASCII letters only, and takes another word in place of them.
#[test]
fn names_of_other_letters() {
    for text in ["class_name 插槽 extends Node2D\n", "class_name Größe\nextends Node\n"] {
        let script = Script::gdscript(text.as_bytes());
        assert_eq!(script.class_name, None, "{text}");
        assert!(!script.is_complete, "{text}");
    }
}

#[test]
fn constants_and_types_of_exports() {
    let script = gdscript(
        "const A = 1\nconst B := preload(\"res://b.gd\")\n@export var c: Node\n@export_storage var d: Node\n\
         @export\nvar e: Node\n@export_group(\"G\")\nvar f: Node\n",
    );
    assert_eq!(script.constants, ["A", "B"]);
    let exports: Vec<_> = script.variables.iter().map(|found| found.exports_type).collect();
    assert_eq!(exports, [true, false, true, false]);
}

#[test]
fn variables_of_godot_4() {
    let script = gdscript(
        "@export var a: int = 1\n@export_range(0, 10, 1) var b := 2.0\n@export\nvar c\n@onready var d: Node = $%X/y\n\
         static var e = 1\nvar f: Array[Node] = [\n\t1,\n\t2,\n]:\n\tset(v):\n\t\tf = v\n\tget:\n\t\treturn f\n\
         @export_group(\"G\")\nvar g: int\n@export_enum(\"A:\", \"B\") var h: String:\n\tset = set_h\n\nvar i = func(x):\n\treturn x\n",
    );
    assert_eq!(
        variables(&script),
        [
            ("a", true, Some("int")),
            ("b", true, None),
            ("c", true, None),
            ("d", false, Some("Node")),
            ("e", false, None),
            ("f", false, Some("Array[Node]")),
            ("g", false, Some("int")),
            ("h", true, Some("String")),
            ("i", false, None),
        ]
    );
    assert_eq!(script.variable("a").unwrap().value.as_deref(), Some("1"));
    assert!(script.variable("e").unwrap().is_static);
}

#[test]
fn variables_of_godot_3() {
    let script = gdscript(
        "export var a = 1\nexport(int, 0, 3) var b = 2 setget set_b, get_b\nexport (PackedScene) var c\nonready var d = $X\n\
         export(NodePath) onready var e\nremote var f\n",
    );
    assert_eq!(
        variables(&script),
        [
            ("a", true, None),
            ("b", true, Some("int")),
            ("c", true, Some("PackedScene")),
            ("d", false, None),
            ("e", true, Some("NodePath")),
            ("f", false, None),
        ]
    );
}

#[test]
fn signals_and_functions() {
    let script = gdscript(
        "signal a\nsignal b()\nsignal c(x, y: int)\n\nfunc f(): return 1\nfunc g(x, y: int = 1, z := 2) -> void:\n\tthis is no } code\n\n\
         static func h(...rest):\n\tpass\n@rpc(\"any_peer\")\nfunc i(\n\tx,\n\ty = [\")\"],  # why: not\n) -> int:\n\treturn 1\nfunc j(x): # note:\n\tpass\n\
         remotesync func k(x):\n\tpass\nfunc _init(x).(x):\n\tpass\n",
    );
    let counts: Vec<_> =
        script.signals.iter().map(|signal| (signal.name.as_str(), signal.argument_count)).collect();
    assert_eq!(counts, [("a", None), ("b", Some(0)), ("c", Some(2))]);
    assert_eq!(
        functions(&script),
        [
            ("f", 0, Some(0)),
            ("g", 1, Some(3)),
            ("h", 0, None),
            ("i", 1, Some(2)),
            ("j", 1, Some(1)),
            ("k", 1, Some(1))
        ]
    );
    assert!(script.function("h").unwrap().is_static);
    assert!(!script.has_dynamic_properties);
    assert!(gdscript("func _set(a, b):\n\treturn false\n").has_dynamic_properties);
}

#[test]
fn inner_classes_and_constants() {
    let script = gdscript(
        "const Base = preload(\"res://base.gd\")\nconst N = 3\nenum { A, B }\nenum E {\n\tX = 1,\n}\n\
         class Inner extends Base:\n\tvar x\n\tfunc f(a):\n\t\tpass\n\n\tclass Deep:\n\t\tsignal s\n\nfunc last(): pass\n",
    );
    assert_eq!(script.preloads, [("Base".to_owned(), "res://base.gd".to_owned())]);
    let inner = script.class("Inner").unwrap();
    assert_eq!(inner.base, Base::Class("Base".into()));
    assert!(inner.variable("x").is_some() && inner.function("f").is_some());
    assert!(script.class_at("Inner.Deep").unwrap().signal("s").is_some());
    assert!(script.function("last").is_some() && script.function("f").is_none());
}

#[test]
fn what_cannot_be_read_says_so() {
    for text in [
        "var\n",
        "extends Node\n}\n",
        "func f(:\n\tpass\n",
        "if true:\n\tpass\n",
        "func f():\n\tvar a = {\nfunc g(): pass\n",
    ] {
        assert!(!Script::gdscript(text.as_bytes()).is_complete, "{text}");
    }
    assert!(!Script::gdscript(b"\xff\xfe").is_complete);
    for text in
        ["\"\"\"", "(", "'", "\\", "@", "class", "\u{0}", "func f():\n\t\"\"\"\nfunc g(): pass"]
    {
        let _ = Script::gdscript(text.as_bytes());
    }
    let _ = Script::gdscript("class A:\n".repeat(5000).as_bytes());
    let _ = Script::gdscript("[".repeat(100_000).as_bytes());
}

#[test]
fn csharp() {
    let text = "using Godot;\n// class Player : X {}\n[GlobalClass, Icon(\"res://a.svg\")]\npublic partial class Player : Area2D\n{\n\
        [Signal]\n public delegate void HitEventHandler(int by, Node[] who);\n\
        [Export]\n public int Speed { get; set; } = 400;\n [Export(PropertyHint.Range, \"0,[}\")] private Vector2 _a = new Vector2(1, 2);\n\
        private string _s = @\"}\";\n enum E { A, B }\n public override void _Ready() { if (x) { y(); } }\n\
        public void OnHit(Node body, int times = 1) => Hide();\n private static int F() { return 1; }\n }\n";
    let script = Script::csharp(text.as_bytes(), "Player");
    assert!(script.is_complete);
    assert_eq!(script.class_name.as_deref(), Some("Player"));
    assert_eq!(script.base, Base::Class("Area2D".into()));
    assert_eq!(
        variables(&script),
        [
            ("Speed", true, Some("int")),
            ("_a", true, Some("Vector2")),
            ("_s", false, Some("string"))
        ]
    );
    assert_eq!(script.signal("Hit").unwrap().argument_count, Some(2));
    assert_eq!(
        functions(&script),
        [("_Ready", 0, Some(0)), ("OnHit", 1, Some(2)), ("F", 0, Some(0))]
    );
    assert!(!Script::csharp(text.as_bytes(), "Enemy").is_complete);
    assert!(!Script::csharp(b"[Meta] public partial class A : Node { }", "A").is_complete);
    assert!(!Script::csharp(b"public partial class A : B<int> { }", "A").is_complete);
    assert!(!Script::csharp(b"class A : B {", "A").is_complete);
}

#[test]
fn choices() {
    let script = gdscript(
        "@export_enum(\"Slow\", \"Fast:5\", 'Faster') var speed: int\n@export_enum(\"A:x\", \"B:-2\")\nvar b := 0\n\
         @export var c: int\n",
    );
    let choices = script.variables.iter().map(|found| {
        found.choices.iter().map(|(name, number)| (name.as_str(), *number)).collect::<Vec<_>>()
    });
    assert_eq!(
        choices.collect::<Vec<_>>(),
        [vec![("Slow", 0), ("Fast", 5), ("Faster", 6)], vec![("A:x", 0), ("B", -2)], vec![]]
    );
}
