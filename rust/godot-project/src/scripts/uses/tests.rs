use super::{MemberKind, MemberUses};
use crate::Project;

const ENEMY: &str = "class_name Enemy\nextends Node2D\nsignal «hit»(by)\n@export var «health» := 3\nfunc «jump»(): pass\n";

/// A project in which each script marks the uses of a member of `res://enemy.gd`: `«name»` for certain ones, `‹name›` for
/// uncertain ones. The marks must equal the found uses.
#[track_caller]
fn check(name: &str, kind: MemberKind, files: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
    write(
        "project.godot",
        "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n\n[autoload]\n\nGame=\"*res://game.gd\"\n",
    );
    let enemy = ("enemy.gd", ENEMY);
    let plain = |text: &str| text.replace(['«', '»', '‹', '›'], "");
    for (path, text) in files.iter().chain([&enemy]) {
        write(path, &plain(text));
    }
    let project = Project::open(folder.path()).unwrap();
    let file = project.file("res://enemy.gd").unwrap();
    let uses = MemberUses::new(&project, file, name, kind);
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".gd")) {
        let found = uses.in_script(project.file(&format!("res://{path}")).unwrap());
        let mut marked = plain(text);
        let certain = found.certain.iter().map(|(span, _)| (*span, ["«", "»"]));
        let doubts = found.doubts.iter().map(|(span, _)| (*span, ["‹", "›"]));
        let mut all: Vec<_> = certain.chain(doubts).collect();
        all.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        for (span, [open, close]) in all {
            assert_eq!(&marked[span.range()], name);
            marked.replace_range(span.range(), &format!("{open}{name}{close}"));
        }
        assert_eq!(marked, *text, "{path}");
    }
}

#[track_caller]
fn variable(text: &str) {
    check("health", MemberKind::Variable, &[("a.gd", text)]);
}

#[test]
fn typed_receivers() {
    variable(
        "var a: Enemy\nvar b := Enemy.new()\nvar c = Enemy.new()\nconst D = preload(\"res://enemy.gd\")\nvar e := D.new()\nvar f: D\nvar g: Array[Enemy]\n\
        func x(p: Enemy, q, r: Node, s: Timer, t: int, u: Dictionary) -> Enemy:\n\
        \ta.«health» = b.«health» + c.‹health› + e.«health» + f.«health» + g[0].«health» + self.a.«health»\n\
        \tprint(p.«health», q.‹health›, r.‹health›, s.health, t.health, u.health, x(p, q).«health».z)\n\
        \tfor i in g: i.«health» += 1\n\tfor i: Enemy in q: i.«health» += 1\n\tfor i in q: i.‹health› += 1\n\
        \t(q as Enemy).«health» = preload(\"res://enemy.gd\").new().«health»\n\
        \tvar h := q as Enemy\n\tvar j = q as Enemy\n\tprint(h.«health», j.‹health›, g.front().«health», (h if q else a).«health», (h if q else q).‹health›)\n\
        \tvar health = 1\n\tprint(health, h.«health»)\n\treturn a\n",
    );
}

#[test]
fn types_that_were_asked_for() {
    variable(
        "var m\nfunc f(a, b: Node, c):\n\tif a is Enemy:\n\t\ta.«health» = 1\n\t\tif c: print(a.«health»)\n\t\tvar l = func(): return a.‹health›\n\telif c and b is Enemy and c:\n\t\tb.«health» += a.‹health›\n\
         \telse:\n\t\ta.‹health› = 1\n\tif a is not Enemy: a.‹health› = 1\n\tif not a is Enemy: a.‹health› = 1\n\tif a is Enemy or c: a.‹health› = 1\n\
         \tif a is Enemy and a.«health» > 1: pass\n\tif a.‹health› > 1 and a is Enemy: pass\n\tif a is Enemy:\n\t\ta = c\n\t\ta.‹health› = 1\n\tif m is Enemy: m.‹health› = 1\n\tif a is Timer: a.‹health› = 1\n",
    );
}

#[test]
fn heirs_and_own_class() {
    check(
        "health",
        MemberKind::Variable,
        &[
            (
                "boss.gd",
                "extends Enemy\nfunc a():\n\t«health» = self.«health» + super.«health»\n\tvar l = func(): return «health»\n\tvar health = 1\n\treturn health\nclass In:\n\tvar health\n\tfunc f(): return health\n",
            ),
            (
                "other.gd",
                "extends Node2D\nvar health\nfunc a(): return health + self.health + Other.new().health\nclass Other:\n\tvar health\n",
            ),
            (
                "sub.gd",
                "extends \"res://boss.gd\"\nfunc f(health): return health + self.«health» + get_parent().‹health›\n",
            ),
            ("lost.gd", "extends Missing\nfunc f(): return ‹health›\n"),
            (
                "broken.gd",
                "extends Enemy\nfunc f(:\n\treturn ‹health›\nfunc g(): return «health»\n",
            ),
        ],
    );
}

#[test]
fn autoloads() {
    check(
        "health",
        MemberKind::Variable,
        &[
            (
                "game.gd",
                "extends Node\nvar player: Enemy\nvar any\nfunc find() -> Enemy: return player\n",
            ),
            (
                "a.gd",
                "func f():\n\tGame.player.«health» = Game.any.‹health› + Game.find().«health»\n\tprint(Game.health, {health = 1, \"health\": 2}.health)\n",
            ),
        ],
    );
}

#[test]
fn texts() {
    variable(
        "extends Enemy\nvar e: Enemy\nvar n: Timer\nfunc f(q):\n\tset(\"«health»\", 1)\n\te.set(&\"«health»\", e.get(\"«health»\"))\n\tq.set(\"‹health›\", 1)\n\tn.set(\"health\", 1)\n\
        \tcreate_tween().tween_property(e, \"«health»\", 1, 1)\n\tcreate_tween().tween_property(self, \"«health»:x\", 1, 1)\n\tcreate_tween().tween_property(q, \"‹health›\", 1, 1)\n\
        \te[\"«health»\"] = q[\"‹health›\"]\n\tprint(\"health\", q.call(\"health\"), ^\"E:‹health›\", &\"‹health›\", \"‹health›\" in q, [\"‹health›\"])\n",
    );
}

#[test]
fn functions_and_signals() {
    check(
        "jump",
        MemberKind::Function,
        &[(
            "a.gd",
            "extends Enemy\nvar e: Enemy\n## See [method «jump»], [method Enemy.«jump»], [method Timer.jump], [method Gone.‹jump›] and [member jump].\nfunc «jump»():\n\tsuper.«jump»()\n\t«jump»()\n\te.«jump»()\n\te.«jump».call()\n\tcall_deferred(\"«jump»\")\n\
        \tCallable(e, \"«jump»\")\n\tCallable(self, \"«jump»\").call()\n\te.hit.connect(«jump»)\n\te.connect(\"hit\", self, \"«jump»\")\n\tget_tree().call_group(\"a\", \"‹jump›\")\n\thas_method(\"«jump»\")\n\tfoo.‹jump›()\n",
        )],
    );
    check(
        "hit",
        MemberKind::Signal,
        &[(
            "a.gd",
            "extends Enemy\nvar e: Enemy\nfunc f(q):\n\t«hit».emit(1)\n\te.«hit».connect(f)\n\tawait e.«hit»\n\temit_signal(\"«hit»\", 1)\n\te.connect(&\"«hit»\", f)\n\tyield(self, \"«hit»\")\n\tq.connect(\"‹hit›\", f)\n\tq.hit()\n",
        )],
    );
}

#[test]
fn nodes_of_scenes() {
    let scene = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n[ext_resource type=\"Script\" path=\"res://enemy.gd\" id=\"2\"]\n\n\
        [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n\n[node name=\"E\" type=\"Node2D\" parent=\".\"]\nunique_name_in_owner = true\nscript = ExtResource(\"2\")\n\n[node name=\"T\" type=\"Timer\" parent=\".\"]\n";
    check(
        "health",
        MemberKind::Variable,
        &[
            (
                "a.gd",
                "extends Node\n@onready var e := $E\nfunc f():\n\t$E.«health» = %E.«health» + get_node(\"E\").«health» + $T.health + $Gone.‹health› + e.«health» + $%E.«health»\n",
            ),
            ("a.tscn", scene),
        ],
    );
}

#[test]
fn circles_and_hostile_texts() {
    check(
        "health",
        MemberKind::Variable,
        &[
            (
                "a.gd",
                "extends \"res://b.gd\"\nvar x: y\nvar y: x\nconst C := C\nconst D := E if C else E\nconst E := D if C else D\nfunc f(): return x.‹health› + C.‹health› + D.‹health› + ‹health›\nclass A extends B.X:\n\tpass\nclass B extends A.Y:\n\tpass\n",
            ),
            ("b.gd", "extends \"res://a.gd\"\n"),
        ],
    );
    let more = ".‹health›".repeat(3000);
    variable(&format!("var e: Enemy\nfunc f(): return e.«health».health{more}\n"));
    // Uses that are too deep are not searched.
    let more = " + e.‹health›".repeat(3000);
    variable(&format!("var e: Enemy\nfunc f(): return 1{more}\n"));
}

#[test]
fn clashes() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
    write("project.godot", "config_version=5\n");
    write(
        "a.gd",
        "extends Node\nvar a\nfunc f(b): return a + b\nfunc g():\n\tvar c = self.a\n\treturn c + d()\nclass I:\n\tvar e\n",
    );
    let project = Project::open(folder.path()).unwrap();
    let file = project.file("res://a.gd").unwrap();
    let uses = MemberUses::new(&project, file, "a", MemberKind::Variable);
    let line = |new: &str| uses.clash_in(file, new).map(|(line, _)| line);
    assert_eq!(
        (line("b"), line("c"), line("d"), line("e"), line("f")),
        (Some(3), None, Some(6), None, Some(3))
    );
}
