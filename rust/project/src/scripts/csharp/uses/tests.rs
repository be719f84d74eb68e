use super::*;

/// The text with the certain places as `[…]`, and the doubtful ones as `(…?)`.
fn marked(text: &str) -> String {
    let heirs = HashSet::from(["Boss"]);
    let member = CsharpMember {
        class: "Enemy",
        heirs,
        name: "Health",
        new_name: "MaxHealth",
        names_type: false,
    };
    let uses = member.uses(text.as_bytes()).unwrap();
    let certain = uses.certain.iter().map(|(span, _)| (*span, ["[", "]"]));
    let doubts = uses.doubts.iter().map(|(span, _)| (*span, ["(", "?)"]));
    let mut marks: Vec<_> = certain.chain(doubts).collect();
    marks.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut marked = text.to_owned();
    for (span, [open, close]) in marks {
        marked.insert_str(span.end as usize, close);
        marked.insert_str(span.start as usize, open);
    }
    marked
}

#[track_caller]
fn check(expected: &str) {
    let text = expected.replace(['[', ']'], "").replace("(Health?)", "Health");
    let text = text.replace("<<", "[").replace(">>", "]");
    let marked = marked(&text);
    assert_eq!(marked, expected.replace("<<", "[").replace(">>", "]"));
}

#[test]
fn of_the_class_itself() {
    check(
        "using Godot;\n\npublic partial class Enemy : Node2D\n{\n\
         \t<<Export>> public int [Health] { get; set; } = 3;\n\
         \tprivate int _other = 1;\n}\n",
    );
    check(
        "class Enemy : Node2D {\n\
         \tpublic int [Health] = 3;\n\
         \tvoid A() { [Health] -= 1; this.[Health] = [Health] + 1; GD.Print($\"{[Health]}\"); }\n\
         \tvoid B() { Set(\"[Health]\", 1); Set(PropertyName.[Health], 2); var x = nameof([Health]); }\n\
         \tvoid C(int Health) { this.[Health] = (Health?); }\n\
         \tvoid D(Node node) { node.Set(\"(Health?)\", 1); GD.Print(\"(Health?)\"); }\n\
         \tint E() => [Health];\n\
         \tclass Inner { int A() => (Health?); }\n\
         \t// Health\n}\n",
    );
}

#[test]
fn of_others_by_their_types() {
    check(
        "class Game : Node {\n\
         \tprivate Enemy _enemy; private Node _node; int Health;\n\
         \tvoid A(Enemy one, Boss two, Sprite2D three, object four) {\n\
         \t\tone.[Health] = two.[Health]; three.Health = 1; _enemy?.[Health].ToString(); Health = 3;\n\
         \t\tvar five = GetNode<Enemy>(\"A\"); five.[Health]++; var six = Find(); six.(Health?) = 1;\n\
         \t\tGetNode<Enemy>(\"A\").[Health] = 1; ((Enemy)four).[Health] = 2; (four as Boss).[Health] = 2;\n\
         \t\tvar seven = new Enemy { [Health] = 3 }; new Other { Health = 3 }; Call(Health: 3);\n\
         \t\tforeach (var each in all) { each.(Health?) = 1; }\n\
         \t\tforeach (Enemy each2 in all) { each2.[Health] = 1; }\n\
         \t\tif (four is Enemy found) { found.[Health] = 1; }\n\
         \t\tunknown.(Health?) = 1; nameof(Enemy.[Health]); Set(Enemy.PropertyName.[Health], 1);\n\
         \t}\n}\n",
    );
    check("class Boss : Enemy {\n\tvoid A() { [Health] = 1; base.[Health] = 2; }\n}\n");
    check("class Minion : Boss {\n\tint A => [Health];\n}\nclass Other { int A => Health; }\n");
}

#[test]
fn what_is_not_understood_is_not_certain() {
    let text = "class Enemy {\n\tint A() { return Health +; ) }\n}\n";
    let found = marked(text);
    assert!(found.contains("(Health?)"), "{found}");
    // The class is not seen at all.
    let found = marked("class Enemy\n{\n\tpublic int Health;\n");
    assert!(found.contains("(Health?)"), "{found}");
    let deep = format!("class Enemy {{ int A = {}Health; }}", "(".repeat(3000));
    let heirs = HashSet::new();
    let member =
        CsharpMember { class: "Enemy", heirs, name: "Health", new_name: "B", names_type: false };
    let uses = member.uses(deep.as_bytes());
    assert!(uses.is_none_or(|uses| uses.certain.is_empty()));
    assert!(member.uses(b"\xff\xfe").is_none());
}

#[test]
fn names_that_are_taken() {
    let taken = |text: &str| {
        let heirs = HashSet::from(["Boss"]);
        let member = CsharpMember {
            class: "Enemy",
            heirs,
            name: "Health",
            new_name: "Max",
            names_type: false,
        };
        let uses = member.uses(text.as_bytes()).unwrap();
        (uses.is_taken, uses.certain.len(), uses.doubts.len())
    };
    assert_eq!(taken("class Enemy { int Health; int Max; }"), (true, 1, 0));
    assert_eq!(taken("class Boss : Enemy { void Max() {} }"), (true, 0, 0));
    assert_eq!(taken("class Other { int Max; }"), (false, 0, 0));
    assert_eq!(taken("class Enemy { int Health; int A(int Max) => Health + Max; }"), (false, 1, 1));
}

#[test]
fn a_type_of_the_same_name() {
    let text = "class Enemy {\n\tpublic Team Team { get; set; }\n\
                \tbool A() => Team == Team.None || this.Team is Team.Red;\n\tTeam B(Team a) => (Team)2;\n}\n";
    let heirs = HashSet::new();
    let member =
        CsharpMember { class: "Enemy", heirs, name: "Team", new_name: "B", names_type: true };
    let uses = member.uses(text.as_bytes()).unwrap();
    let certain: Vec<u32> = uses.certain.iter().map(|(span, _)| span.start).collect();
    let at = |part: &str, offset: usize| (text.find(part).unwrap() + offset) as u32;
    assert_eq!(certain, [at("Team {", 0), at("Team ==", 0), at("this.", 5)]);
    assert!(uses.doubts.iter().any(|(span, _)| span.start == at("Team.None", 0)));
}
