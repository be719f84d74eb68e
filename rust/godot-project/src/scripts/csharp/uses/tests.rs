use super::*;

/// A member of `Enemy`, which `Boss` extends, that gets another name.
fn member(kind: MemberKind, name: &'static str, new_name: &'static str) -> CsharpMember<'static> {
    let heirs = HashSet::from(["Boss"]);
    let (class, bases) = ("Enemy", HashSet::from(["Unit"]));
    CsharpMember { class, heirs, bases, kind, name, new_name, names_type: false, types: None }
}

/// The text with the certain places as `[…]`, and the doubtful ones as `(…?)`.
fn marked(member: &CsharpMember<'_>, text: &str) -> String {
    let uses = member.uses(text.as_bytes(), "Game").unwrap();
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
fn check_member(member: &CsharpMember<'_>, expected: &str) {
    let name = member.name;
    let text = expected.replace(&format!("[{name}]"), name).replace(&format!("({name}?)"), name);
    assert_eq!(marked(member, &text), expected);
}

#[track_caller]
fn check(expected: &str) {
    check_member(&member(MemberKind::Variable, "Health", "MaxHealth"), expected);
}

#[test]
fn of_the_class_itself() {
    check(
        "using Godot;\n\npublic partial class Enemy : Node2D\n{\n\
         \t[Export] public int [Health] { get; set; } = 3;\n\
         \tprivate int _other = 1;\n}\n",
    );
    check(
        "partial class Enemy : Node2D {\n\
         \tpublic int [Health] = 3;\n\
         \tvoid A() { [Health] -= 1; this.[Health] = [Health] + 1; GD.Print($\"{[Health]}\"); }\n\
         \tvoid B() { Set(\"[Health]\", 1); Set(PropertyName.[Health], 2); var x = nameof([Health]); }\n\
         \tvoid C(int Health) { this.[Health] = (Health?); }\n\
         \tvoid D(Node node) { node.Set(\"(Health?)\", 1); GD.Print(\"Health\"); Show(\"(Health?)\"); }\n\
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
    check("partial class Boss : Enemy {\n\tvoid A() { [Health] = 1; base.[Health] = 2; }\n}\n");
    check("class Minion : Boss {\n\tint A => [Health];\n}\nclass Other { int A => Health; }\n");
}

#[test]
fn methods() {
    let jump = member(MemberKind::Function, "Jump", "Leap");
    check_member(
        &jump,
        "partial class Enemy : Unit, IRun {\n\
         \tpublic virtual void [Jump](int a) { }\n\
         \tpublic void [Jump]() => [Jump](1);\n\
         \tvoid IRun.Jump() { this.[Jump](); [Jump]<int>(2); base.[Jump](); }\n\
         \tvoid A() { Call(\"[Jump]\"); CallDeferred(MethodName.[Jump]); Call(nameof([Jump])); }\n\
         \tvoid B() { Hit += [Jump]; Callable.From([Jump]); new Callable(this, \"[Jump]\"); Rpc(@\"[Jump]\"); }\n\
         \tvoid C() { RpcId(1, \"[Jump]\", 2); RpcId(\"(Jump?)\"); Input.IsActionPressed(\"Jump\"); Play(\"(Jump?)\"); }\n\
         \tvoid D() { void Jump() { } (Jump?)(); F(SignalName.Jump); }\n\
         \tvoid E() { @[Jump](); Foo(Jump: 1); goto Jump; Jump: return; }\n}\n",
    );
    check_member(
        &jump,
        "partial class Boss : Enemy {\n\tpublic override void [Jump](int a) => base.[Jump](a);\n}\n\
         class Minion : Boss {\n\tpublic new void (Jump?)() { Jump(); }\n}\n\
         class Tiny : Minion {\n\tvoid A() { Jump(); }\n}\n\
         class Other : Unit {\n\tvoid Jump() { Jump(); }\n\
         \tBoss _boss; List<Enemy> _all; Minion _minion; Func<Enemy> _find;\n\
         \tvoid A(Unit unit, Sprite2D sprite) {\n\
         \t\t_boss.[Jump](); this._boss?.[Jump](); _all[0].[Jump](); _minion.Jump(); _find().(Jump?)();\n\
         \t\tforeach (var enemy in _all) { enemy.[Jump](); enemy.Call(\"[Jump]\"); }\n\
         \t\tvar boss = Find(); boss.[Jump](); Find().[Jump](); var other = Make(); other.(Jump?)();\n\
         \t\tunit.Call(\"(Jump?)\"); sprite.Jump(); unit.Jump(); Other.One.[Jump]();\n\
         \t}\n\
         \tstatic Enemy One; Boss Find() => null;\n}\n",
    );
}

#[test]
fn signals() {
    let hit = member(MemberKind::Signal, "Hit", "Struck");
    check_member(
        &hit,
        "partial class Enemy : Unit {\n\
         \t[Signal] public delegate void [Hit]EventHandler(int Hit);\n\
         \tvoid A() { EmitSignal(SignalName.[Hit], 1); EmitSignal(\"[Hit]\"); EmitSignal[Hit](1); }\n\
         \tvoid B([Hit]EventHandler a) { [Hit] += a; this.[Hit] -= OnHit; EmitSignal(nameof([Hit])); }\n\
         \tvoid OnHit() { Call(MethodName.Hit); GD.Print(\"Hit\"); Show(\"(Hit?)\"); }\n}\n",
    );
    check_member(
        &hit,
        "partial class Game : Node {\n\
         \t[Export] Enemy _enemy; Door _door;\n\
         \tpublic delegate void HitEventHandler();\n\
         \tasync void A() {\n\
         \t\t_enemy.[Hit] += () => { }; _door.Hit += null; _enemy.Connect(\"[Hit]\", null);\n\
         \t\tawait ToSignal(_enemy, Enemy.SignalName.[Hit]); await ToSignal(_enemy, \"[Hit]\");\n\
         \t\tawait ToSignal(_door, \"(Hit?)\"); new Enemy.[Hit]EventHandler(null); Door.HitEventHandler b;\n\
         \t\tGetNode<Boss>(\"B\").Connect(Boss.SignalName.[Hit], Callable.From<int>(null));\n\
         \t}\n}\n",
    );
}

#[test]
fn overrides_and_interfaces() {
    let jump = member(MemberKind::Function, "Jump", "Leap");
    let uses = |text: &str| jump.uses(text.as_bytes(), "Enemy").unwrap();
    assert!(uses("class Enemy : Unit { public override void Jump() {} }").is_override);
    assert!(!uses("class Enemy : Unit { public virtual void Jump() {} }").is_override);
    assert!(!uses("class Boss : Enemy { public override void Jump() {} }").is_override);
    assert_eq!(uses("interface IJump { void Jump(); } interface IRun {}").interfaces, ["IJump"]);
}

#[test]
fn another_class_of_the_same_name() {
    let jump = member(MemberKind::Function, "Jump", "Leap");
    check_member(
        &jump,
        "class Outer {\n\tclass Enemy { void Jump() {} }\n\tvoid A(Enemy enemy) => enemy.(Jump?)();\n}\n",
    );
}

#[test]
fn what_is_not_understood_is_not_certain() {
    let health = || member(MemberKind::Variable, "Health", "MaxHealth");
    let text = "partial class Enemy {\n\tint A() { return Health +; ) }\n}\n";
    let found = marked(&health(), text);
    assert!(found.contains("(Health?)"), "{found}");
    // The class is not seen at all.
    let found = marked(&health(), "class Enemy\n{\n\tpublic int Health;\n");
    assert!(found.contains("(Health?)"), "{found}");
    let deep = format!("class Enemy {{ int A = {}Health; }}", "(".repeat(3000));
    let uses = health().uses(deep.as_bytes(), "Enemy");
    assert!(uses.is_none_or(|uses| uses.certain.is_empty()));
    assert!(health().uses(b"\xff\xfe", "Enemy").is_none());
}

#[test]
fn names_that_are_taken() {
    let taken = |text: &str| {
        let uses = member(MemberKind::Variable, "Health", "Max").uses(text.as_bytes(), "Enemy");
        let uses = uses.unwrap();
        (uses.is_taken, uses.certain.len(), uses.doubts.len())
    };
    assert_eq!(taken("class Enemy { int Health; int Max; }"), (true, 1, 0));
    assert_eq!(taken("partial class Boss : Enemy { void Max() {} }"), (true, 0, 0));
    assert_eq!(taken("class Other { int Max; }"), (false, 0, 0));
    assert_eq!(taken("class Enemy { int Health; int A(int Max) => Health + Max; }"), (false, 1, 1));
}

#[test]
fn a_type_of_the_same_name() {
    let text = "class Enemy {\n\tpublic Team Team { get; set; }\n\
                \tbool A() => Team == Team.None || this.Team is Team.Red;\n\tTeam B(Team a) => (Team)2;\n}\n";
    let member = CsharpMember { names_type: true, ..member(MemberKind::Variable, "Team", "B1") };
    let uses = member.uses(text.as_bytes(), "Enemy").unwrap();
    let certain: Vec<u32> = uses.certain.iter().map(|(span, _)| span.start).collect();
    let at = |part: &str, offset: usize| (text.find(part).unwrap() + offset) as u32;
    assert_eq!(certain, [at("Team {", 0), at("Team ==", 0), at("this.", 5)]);
    assert!(uses.doubts.iter().any(|(span, _)| span.start == at("Team.None", 0)));
}
