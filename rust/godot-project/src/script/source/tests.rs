use super::{LiteralKind, Name, Role, ScriptSource, StringPlace};

/// Each name with its role, in the order of the text: `name:role`, with `()` after a called one and `?` after an uncertain
/// one.
fn names(text: &str) -> Vec<String> {
    let source = ScriptSource::parse(text.as_bytes()).unwrap();
    source.names().iter().map(|name| shown(&source, name)).collect()
}

fn shown(source: &ScriptSource<'_>, name: &Name) -> String {
    let role = match name.role {
        Role::Declares(what) => format!("{what:?}").to_lowercase(),
        Role::Local { declaration } => {
            let before = &source.text()[..declaration as usize];
            format!("local@{}", before.matches('\n').count() + 1)
        }
        Role::Attribute { receiver } => format!("of {}", source.text_of(receiver)),
        Role::TypeAttribute { receiver } => format!("type of {}", source.text_of(receiver)),
        role => format!("{role:?}").to_lowercase(),
    };
    let called = if name.is_called { "()" } else { "" };
    let doubt = if name.is_certain { "" } else { "?" };
    format!("{}{called}:{role}{doubt}", source.text_of(name.span))
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(names(text), expected, "{text}");
}

/// The reports on each occurrence of the name `x` in the text.
#[track_caller]
fn check_x(text: &str, expected: &[&str]) {
    let found: Vec<String> = names(text)
        .into_iter()
        .filter(|name| name.starts_with("x:") || name.starts_with("x()"))
        .collect();
    assert_eq!(found, expected, "{text}");
}

fn strings(text: &str) -> Vec<String> {
    let source = ScriptSource::parse(text.as_bytes()).unwrap();
    let shown = |literal: &super::StringLiteral| {
        let place = match &literal.place {
            StringPlace::Argument { function, receiver, index } => {
                let receiver =
                    receiver.map_or(String::new(), |at| format!("{}.", source.text_of(at)));
                format!("{receiver}{}({index})", source.text_of(*function))
            }
            StringPlace::Annotation { name } => format!("@{}", source.text_of(*name)),
            StringPlace::Subscript { receiver } => format!("{}[]", source.text_of(*receiver)),
            place => format!("{place:?}").to_lowercase(),
        };
        let sign = match literal.kind {
            LiteralKind::String => "",
            LiteralKind::StringName => "&",
            LiteralKind::NodePath => "^",
        };
        let doubt = if literal.is_certain { "" } else { "?" };
        let text = literal.text.as_deref().unwrap_or("<unknown>");
        format!("{sign}{text}:{place}{doubt}")
    };
    source.strings().iter().map(shown).collect()
}

fn paths(text: &str) -> Vec<(String, String)> {
    let source = ScriptSource::parse(text.as_bytes()).unwrap();
    let pair = |path: &super::NodePathUse| {
        assert!(path.is_certain, "{text}");
        (source.text_of(path.span).to_owned(), path.text.clone().unwrap())
    };
    source.node_paths().iter().map(pair).collect()
}

#[test]
fn declarations() {
    check(
        "@tool\nclass_name A extends B.C\nsignal s(p: int, q)\nenum { U, V = 2 }\nenum E { W }\nconst K := 1\n@export_range(0, 1) var v: Array[D] = []\n\
         static var w = v\nfunc f(a, b: T = K, c := b) -> R:\n\treturn a\nclass I extends J:\n\tvar y\n\tfunc g(): return y\n",
        &[
            "tool:annotation",
            "A:classname",
            "B:type",
            "C:type of B",
            "s:signal",
            "p:parameter",
            "int:type",
            "q:parameter",
            "U:enumvalue",
            "V:enumvalue",
            "E:enum",
            "W:valueofenum",
            "K:constant",
            "export_range:annotation",
            "v:variable",
            "Array:type",
            "D:type",
            "w:variable",
            "v:bare",
            "f:function",
            "a:parameter",
            "b:parameter",
            "T:type",
            "K:bare",
            "c:parameter",
            "b:local@9",
            "R:type",
            "a:local@9",
            "I:class",
            "J:type",
            "y:variable",
            "g:function",
            "y:bare",
        ],
    );
}

#[test]
fn locals_hide_members() {
    check_x(
        "var x\nfunc f():\n\tx = 1\n\tvar x = x\n\tx = 2\n\tself.x = 3\nfunc g():\n\treturn x\n",
        &["x:variable", "x:bare", "x:local", "x:bare", "x:local@4", "x:of self", "x:bare"],
    );
}

#[test]
fn expressions() {
    check_x(
        "func f():\n\ta.x.x(1)[2].x += x.x\n",
        &["x:of a", "x():of a.x", "x:of a.x.x(1)[2]", "x:bare", "x:of x"],
    );
    check_x("func f():\n\tvar d = {x = 1, x: 2, \"x\": x}\n", &["x:key", "x:bare", "x:bare"]);
    check_x(
        "func f():\n\tif a is x and b as x.y or c is not x: pass\n",
        &["x:type", "x:type", "x:type"],
    );
    check_x(
        "var a: x\nvar b: Dictionary[String, x] = x.new()\nfunc f() -> x: return x()\n",
        &["x:type", "x:type", "x:bare", "x:type", "x():bare"],
    );
    check_x("func f():\n\t.x()\n\tsuper.x()\n\tsuper()\n", &["x():ofbase", "x():of super"]);
    check_x(
        "@x(1)\nvar a: int:\n\tset = x, get = x\nvar b setget x, x\n",
        &["x:annotation", "x():bare", "x():bare", "x():bare", "x():bare"],
    );
    check_x(
        "func f():\n\tawait x\n\tx.emit()\n\tx.connect(x)\n\tawait get_tree().x\n",
        &["x:bare", "x:bare", "x:bare", "x:bare", "x:of get_tree()"],
    );
}

#[test]
fn attributes_behind_operators() {
    // The grammar takes the first for `(a + b.c).x`.
    check_x("func f():\n\ty = a + b.c.x\n", &["x:of b.c"]);
    check_x("func f():\n\ty = a * -b.c().x.x\n", &["x:of b.c()", "x:of b.c().x"]);
    check_x(
        "func f():\n\tif not a.b.x() and a.b.x[0].x: pass\n",
        &["x():of a.b", "x:of a.b", "x:of a.b.x[0]"],
    );
    check_x("func f():\n\ty = (a + b.c).x + q as A.B.x\n", &["x:of (a + b.c)", "x:type of A.B"]);
}

#[test]
fn blocks() {
    check_x(
        "func f():\n\tif a:\n\t\tvar x = 1\n\t\tprint(x)\n\tprint(x)\n",
        &["x:local", "x:local@3", "x:bare"],
    );
    check_x(
        "func f():\n\tfor x in x:\n\t\tprint(x)\n\tprint(x)\n",
        &["x:local", "x:bare", "x:local@2", "x:bare"],
    );
    check_x(
        "func f():\n\tmatch x:\n\t\t[var x, 1] when x > 1: print(x)\n\t\tx: pass\n",
        &["x:bare", "x:local", "x:local@3", "x:local@3", "x:bare"],
    );
    check_x(
        "func f():\n\tvar l = func(x):\n\t\treturn x\n\tl.call(x)\n",
        &["x:parameter", "x:local@2", "x:bare"],
    );
    check_x(
        "var a:\n\tset(x):\n\t\ta = x\n\tget:\n\t\treturn x\n",
        &["x:parameter", "x:local@2", "x:bare"],
    );
    check_x(
        "func f(x):\n\tx()\n\tx.call()\n\tvar g = func(): return x\nfunc g(): return x\n",
        &["x:parameter", "x():bare", "x:local@1", "x:local@1", "x:bare"],
    );
}

#[test]
fn literals() {
    assert_eq!(
        strings(
            "@icon(\"res://a.svg\")\nextends \"res://b.gd\".C\nconst A = preload(\"res://c.tscn\")\nvar b = load('d' + \"e\")\n\
            func f():\n\tResourceLoader.load(\"g\", \"\", 1)\n\tget_node(^\"h\").connect(&\"i\", self, r\"j\\n\")\n\ta[\"k\"].b[\"l\"] = \"m\" % 1\n\
            \tif a == \"n\" or \"o\" in b: return \"p\"\n\tvar d = {\"q\": \"r\"}\n\tmatch a:\n\t\t\"s\": pass\n\t\"\"\"t\"u\"\"\"\n\tx(\"\\u0041\\\n\\t\\q\")\n"
        ),
        [
            "res://a.svg:@icon",
            "res://b.gd:extends",
            "res://c.tscn:preload(0)",
            "d:operand",
            "e:operand",
            "g:ResourceLoader.load(0)",
            ":ResourceLoader.load(1)",
            "^h:get_node(0)",
            "&i:get_node(^\"h\").connect(0)",
            "j\\n:get_node(^\"h\").connect(2)",
            "k:a[]",
            "l:a[\"k\"].b[]",
            "m:operand",
            "n:compared",
            "o:compared",
            "p:value",
            "q:key",
            "r:value",
            "s:compared",
            "t\"u:statement",
            "<unknown>:x(0)",
        ]
    );
    assert_eq!(
        strings("tool\nclass_name A, \"res://a.svg\"\nvar a = @\"b\"\n"),
        ["res://a.svg:icon", "^b:value"]
    );
    assert_eq!(strings("var a = \"\\u0041\\\n\\t\\U01F600\"\n"), ["A\t\u{1f600}:value"]);
}

#[test]
fn node_paths() {
    let found = paths(
        "@onready var a = $A/B.c\n@onready var b: Node = $\"A b/C\"\nvar c = %D\nvar d = $%E/F\nvar e = $A/%G\nvar f = %\"H i\"\nvar g = $/root/J\nfunc f(): return a %b + $K\n",
    );
    let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(
        found,
        [
            ("$A/B", "A/B"),
            ("$\"A b/C\"", "A b/C"),
            ("%D", "%D"),
            ("$%E/F", "%E/F"),
            ("$A/%G", "A/%G"),
            ("%\"H i\"", "%H i"),
            ("$/root/J", "/root/J"),
            ("$K", "K"),
        ]
    );
    let found = paths("@onready var a: Control = % \"A b\"\n");
    assert_eq!(found, [("% \"A b\"".to_owned(), "%A b".to_owned())]);
    let found = paths("var a = $A/B\\\n\t\t/C\n");
    assert_eq!(found[0].1, "A/B/C");
    let found = paths("var a = $r\"A b\"\nvar c = $\\\n\t\"C\"\n");
    assert_eq!(found.iter().map(|(_, path)| path.as_str()).collect::<Vec<_>>(), ["A b", "C"]);
    let found = paths("var a = $A/B/ # d\n\t\tC\n");
    assert_eq!(found[0].1, "A/B/C");
    let source = ScriptSource::parse(b"var a = $A/B\nvar b = %C\nvar c = $\"D\"\n").unwrap();
    let replaced = |index: usize, path: &str| source.node_paths()[index].replacement(path);
    assert_eq!(replaced(0, "A/C"), "$A/C");
    assert_eq!(replaced(0, "A/C d"), "$\"A/C d\"");
    assert_eq!(replaced(0, "../2"), "$\"../2\"");
    assert_eq!(replaced(1, "%E/F"), "%E/F");
    assert_eq!(replaced(1, "E"), "$E");
    assert_eq!(replaced(2, "E"), "$\"E\"");
    let source = ScriptSource::parse(b"var a = [\"a\", r'b']\n").unwrap();
    let content = |index: usize, text: &str| source.strings()[index].content_for(text);
    assert_eq!(content(0, "a\"\\b").as_deref(), Some("a\\\"\\\\b"));
    assert_eq!((content(1, "a").as_deref(), content(1, "a'b")), (Some("a"), None));
}

#[test]
fn odd_texts() {
    let found = paths(
        "func f():\n\tg()\n\n\t%A.b = 1\n\t# c\n\t%D.e()\n\tvar h = (i\n\t\t%j) \\\n\t\t%k\n",
    );
    assert_eq!(found.iter().map(|(_, path)| path.as_str()).collect::<Vec<_>>(), ["%A", "%D"]);
    // A byte order mark, lines of Windows, letters of other languages, comments in the first column, `@tool extends`.
    let text = "\u{feff}@tool extends Node\r\nvar größe = 1 # größe\r\nfunc f():\r\n# x\r\n\tprint(größe, \"ü\")\r\n\t# y\r\n\r\n\tself.größe = 2\r\n";
    let source = ScriptSource::parse(text.as_bytes()).unwrap();
    assert_eq!(source.unread(), []);
    let shown: Vec<String> = source.names().iter().map(|name| shown(&source, name)).collect();
    assert_eq!(
        shown,
        [
            "tool:annotation",
            "Node:type",
            "größe:variable",
            "f:function",
            "print():bare",
            "größe:bare",
            "größe:of self"
        ]
    );
    assert_eq!(source.strings()[0].text.as_deref(), Some("ü"));
    assert_eq!(source.comments().len(), 3);
    // Godot 3.
    check_x(
        "export(int) var x setget set_x\nonready var a = x\nfunc f():\n\tyield(self, \"x\")\n\tremove_child(x)\nremotesync func x(): pass\n",
        &["x:variable", "x:bare", "x:bare", "x:function"],
    );
}

#[test]
fn what_is_not_understood_is_not_certain() {
    let text = "var x\nfunc f():\n\tx = = 1 $A/B \"x\"\nfunc g():\n\treturn x\n";
    check_x(text, &["x:variable", "x:unread?", "x:bare"]);
    let source = ScriptSource::parse(text.as_bytes()).unwrap();
    assert!(!source.strings()[0].is_certain && !source.node_paths()[0].is_certain);
    assert_eq!(source.node_paths()[0].text.as_deref(), Some("A/B"));
    // A statement where members stand.
    check_x(
        "var x\nx = 1\nclass A:\n\tvar x\nx()\n",
        &["x:variable", "x:unread?", "x:variable", "x:unread?"],
    );
    for text in [
        "", "(", "\"", "\"\"\"", "$", "%", "\\", "'\\", "@", "class", "class A:", "r\"",
        "\u{feff}", "\u{0}", "$\"", "a.", "#",
    ] {
        let _ = ScriptSource::parse(text.as_bytes()).unwrap();
        let _ = ScriptSource::parse(format!("func f():\n\t{text}").as_bytes()).unwrap();
    }
    assert!(ScriptSource::parse(b"\xff").is_none());
    for text in
        ["class A:\n", "[", "a.", "f(", "-", "\tif a:\n", "func(): ", "\"a\" + ", "A[", "x."]
    {
        let _ = ScriptSource::parse(text.repeat(20_000).as_bytes());
        let _ =
            ScriptSource::parse(format!("func f():\n\treturn {}", text.repeat(20_000)).as_bytes());
    }
}
