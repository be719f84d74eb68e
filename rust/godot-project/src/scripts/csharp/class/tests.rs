use super::*;

/// Checks the certain places, marked as `[Enemy]`, and the doubtful ones, marked as `(Enemy?)`.
#[track_caller]
fn check(namespace: &str, stem: &str, expected: &str) {
    let class = CsharpClass {
        name: "Enemy",
        new_name: "Foe",
        namespace: Some(namespace.to_owned()),
        is_global: true,
        names_member: false,
        types: None,
    };
    let text = expected.replace("[Enemy]", "Enemy").replace("(Enemy?)", "Enemy");
    let uses = class.uses(text.as_bytes(), stem).unwrap();
    let certain = uses.certain.iter().map(|(span, _)| (*span, ["[", "]"]));
    let doubts = uses.doubts.iter().map(|(span, _)| (*span, ["(", "?)"]));
    let mut marks: Vec<_> = certain.chain(doubts).collect();
    marks.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut marked = text;
    for (span, [open, close]) in marks {
        marked.insert_str(span.end as usize, close);
        marked.insert_str(span.start as usize, open);
    }
    assert_eq!(marked, expected);
}

#[test]
fn the_class_itself() {
    check(
        "",
        "Enemy",
        "/// <summary><see cref=\"[Enemy]\"/> and <see cref=\"[Enemy].Hit\"/>, Enemy</summary>\n\
         public partial class [Enemy] : Node2D {\n\
         \tpublic [Enemy]() { }\n\t~[Enemy]() { }\n\
         \tstatic [Enemy] One => new [Enemy]();\n\
         \tvoid A() { Call([Enemy].MethodName.Hit); nameof([Enemy]); }\n\
         \t// Enemy\n}\n",
    );
}

#[test]
fn types_and_names() {
    check(
        "",
        "Game",
        "class Game : [Enemy], IFoo<[Enemy]> {\n\
         \t[Export] [Enemy][] _all; List<[Enemy]?> _list; Dictionary<string, [Enemy]> _map; ([Enemy], int) _pair;\n\
         \t[Enemy]? Find<T>(object a, [Enemy] b = null) where T : [Enemy] {\n\
         \t\tif (a is [Enemy]) { } if (a is [Enemy] c) { } var d = a as [Enemy]; var e = ([Enemy])a;\n\
         \t\tvar f = typeof([Enemy]); var g = GetNode<[Enemy]>(\"Enemy\"); [Enemy].Make(); h = [Enemy].SignalName.Hit;\n\
         \t\tswitch (a) { case [Enemy] i: break; case [Enemy]: break; } foreach ([Enemy] j in _all) { }\n\
         \t\tF(new [Enemy]() { X = 1 }, new [Enemy][3], default([Enemy]), out [Enemy] k); F(Enemy: 1); x.Enemy = 2;\n\
         \t\tvar l = a switch { [Enemy] => 1, [Enemy] { X: 2 } => 3, _ => 4 }; Func<[Enemy], int> m = ([Enemy] n) => 1;\n\
         \t\tFindChildren(\"*\", \"[Enemy]\"); IsClass(\"(Enemy?)\"); global::[Enemy].Make();\n\
         \t\treturn null;\n\t}\n}\n",
    );
}

#[test]
fn namespaces() {
    check(
        "Game.Actors",
        "Other",
        "using Game.Actors;\nusing static Game.Actors.[Enemy];\n\
         class Other {\n\tActors.[Enemy] a; Game.Actors.[Enemy] b; Fake.(Enemy?) c; global::Game.Actors.[Enemy] d;\n\
         \tvoid A() { Game.Actors.[Enemy].Make(); b.Enemy.Make(); [Enemy].Make(); }\n}\n",
    );
}

#[test]
fn what_means_something_else() {
    check(
        "",
        "Other",
        "class Other {\n\tpublic [Enemy] Enemy { get; set; }\n\
         \tvoid A() { (Enemy?).Make(); this.Enemy.Make(); Enemy = null; [Enemy] b; }\n}\n\
         class More {\n\tint Enemy;\n\tvoid A(int Enemy) { Enemy.Foo(); }\n\tint B => Enemy + 1;\n}\n",
    );
    check("", "Other", "class Other {\n\tenum (Enemy?) { A }\n\t(Enemy?) a = (Enemy?).A;\n}\n");
    check("", "Other", "class Other {\n\tvoid A() { Foo +; ) (Enemy?) b; }\n}\n");
}
