use std::path::Path;

use godot_project::{FileMove, Place, Plan};
use godot_tscn::{Edit, FileEdits, Span};

use super::PlanReport;

const TEXT: &str = "one\ntwo\nthree\n";

/// A plan with every kind of change, in a missing folder.
fn plan() -> Plan {
    let place = |path: &str, span: Span, what: &'static str| Place {
        path: path.to_owned(),
        span,
        line: 2,
        column: 1,
        what: what.into(),
    };
    let edits = || vec![Edit::replace(Span::new(4, 7), "2")];
    let moved = |from: &str, to: &str| FileMove { from: from.to_owned(), to: to.to_owned() };
    Plan {
        title: "change a lot".to_owned(),
        files: vec![
            FileEdits::new("res://a b.gd", TEXT.as_bytes(), edits()),
            FileEdits::create("res://new.tres", "[gd_resource]\n"),
            FileEdits::new("res://old/c.gd", TEXT.as_bytes(), edits()),
        ],
        moves: vec![moved("res://d.gd", "res://e.gd"), moved("res://old", "res://other/place")],
        removals: vec!["res://f.gd".to_owned()],
        places: vec![
            place("res://a b.gd", Span::new(4, 7), "use of the variable"),
            place("res://old/c.gd", Span::new(4, 7), "use\u{1b}[2J"),
        ],
        doubts: vec![place("res://z.gd", Span::new(1, 2), "the path is built at run time")],
    }
}

#[test]
fn for_people() {
    let plan = plan();
    let mut report = PlanReport::of_plan(Path::new("/game"), &plan);
    report.is_done = true;
    report.notes.push("git was not told".to_owned());
    let expected = r"change a lot
/game/a b.gd:2:1: use of the variable
/game/new.tres: new file
/game/old/c.gd:2:1: use\u{1b}[2J
/game/d.gd: moved to /game/e.gd
/game/old: moved to /game/other/place
/game/f.gd: removed

Look at these places yourself: they may have to change too, which the files do not tell. They are left as they are:
/game/z.gd:2:1: the path is built at run time

note: git was not told
3 files changed, 2 paths moved, 1 path removed; 1 place to look at
";
    assert_eq!(String::from_utf8(report.text()).unwrap(), expected);
    let nothing = Plan { title: "nothing".to_owned(), ..Plan::default() };
    let report = PlanReport::of_plan(Path::new("/game"), &nothing);
    assert_eq!(String::from_utf8(report.text()).unwrap(), "nothing\nnothing to change\n");
}

#[test]
fn as_a_patch() {
    let plan = plan();
    let report = PlanReport::of_plan(Path::new("/game"), &plan);
    let expected = "\
diff --git a/a b.gd b/a b.gd
--- a/a b.gd
+++ b/a b.gd
@@ -1,3 +1,3 @@
 one
-two
+2
 three
diff --git a/new.tres b/new.tres
new file mode 100644
--- /dev/null
+++ b/new.tres
@@ -0,0 +1 @@
+[gd_resource]
diff --git a/old/c.gd b/other/place/c.gd
rename from old/c.gd
rename to other/place/c.gd
--- a/old/c.gd
+++ b/other/place/c.gd
@@ -1,3 +1,3 @@
 one
-two
+2
 three
diff --git a/d.gd b/e.gd
similarity index 100%
rename from d.gd
rename to e.gd
diff --git a/old b/other/place
similarity index 100%
rename from old
rename to other/place
diff --git a/f.gd b/f.gd
deleted file mode 100644
";
    assert_eq!(String::from_utf8(report.diff()).unwrap(), expected);
}

#[test]
fn for_programs() {
    let plan = plan();
    let report = PlanReport::of_plan(Path::new("/game"), &plan);
    let found: serde_json::Value = serde_json::from_slice(&report.json()).unwrap();
    assert_eq!(found["files"][1]["is_new"], true);
    assert_eq!(found["files"][1]["edits"][0]["replacement"], "[gd_resource]\n");
    assert_eq!(found["moves"][1]["to"], "res://other/place");
    assert_eq!(found["removals"][0], "res://f.gd");
    assert_eq!(found["doubts"][0]["path"], "res://z.gd");
    assert_eq!(
        found["summary"],
        "3 files would be changed, 2 paths would be moved, 1 path would be removed; 1 place to look at"
    );
    let keys = [
        "doubts", "files", "is_done", "moves", "notes", "places", "project", "removals",
        "restored", "summary", "title",
    ];
    assert!(found.as_object().unwrap().keys().map(String::as_str).eq(keys));
}
