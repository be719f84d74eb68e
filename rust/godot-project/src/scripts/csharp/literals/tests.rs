use super::*;

/// The texts, with their places.
fn found(text: &str) -> Vec<String> {
    let literals = CsharpLiterals::of(text.as_bytes(), "A").unwrap().literals;
    let at = |span: Span| &text[span.start as usize..span.end as usize];
    let show = |literal: &CsharpLiteral| {
        let place = match &literal.place {
            CsharpPlace::Argument { function, receiver, index } => {
                let receiver = match receiver {
                    None => String::new(),
                    Some(Receiver::Node(path)) => format!("Node({}).", at(*path)),
                    Some(Receiver::Other(range)) => format!("{}.", &text[range.clone()]),
                    Some(known) => format!("{known:?}."),
                };
                format!("{receiver}{function} {index}")
            }
            CsharpPlace::Created { class } => format!("new {class}"),
            place => format!("{place:?}"),
        };
        let marks = [
            (literal.has_escapes, " escapes"),
            (!literal.is_plain, " verbatim"),
            (!literal.is_own, " inner"),
            (!literal.is_certain, " uncertain"),
        ];
        let marks: String = marks.iter().filter(|mark| mark.0).map(|mark| mark.1).collect();
        format!("{}: {place}{marks}", at(literal.content))
    };
    literals.iter().map(show).collect()
}

#[track_caller]
fn check(statement: &str, expected: &[&str]) {
    let text = format!("partial class A : Node {{\n\tvoid B() {{ {statement} }}\n}}\n");
    assert_eq!(found(&text), expected);
}

#[test]
fn places() {
    check(
        "GetNode<Sprite2D>(\"A/B\"); this.HasNode(\"C\");",
        &["A/B: GetNode 0", "C: Itself.HasNode 0"],
    );
    check(
        "GD.Load<PackedScene>(\"a\"); ResourceLoader.Load(\"b\", \"c\");",
        &["a: GD.Load 0", "b: ResourceLoader.Load 0", "c: ResourceLoader.Load 1"],
    );
    check(
        "GetParent().GetNode(\"a\"); Owner.GetNode(\"b\"); GetOwner<A>().GetNode((\"c\"));",
        &["a: Parent.GetNode 0", "b: Owner.GetNode 0", "c: Owner.GetNode 0"],
    );
    check(
        "GetNode(\"a\").GetNode<B>(\"b\"); x.y?.GetNode(\"c\");",
        &["a: GetNode 0", "b: Node(a).GetNode 0", "c: x.y.GetNode 0"],
    );
    check(
        "new NodePath(\"a\"); NodePath b = \"b\"; c = \"c\" + d; if (e == \"e\") { }",
        &["a: new NodePath", "b: Other", "c: Part", "e: Compared"],
    );
    check(
        "F($\"a{b}c\", \"%s\".Format(1)); switch (a) { case \"d\": break; }",
        &["a: Part", "c: Part", "%s: Part", "d: Compared"],
    );
}

#[test]
fn forms() {
    check(
        "F(\"a\\n\", @\"b\\c\", @\"d\"\"e\", \"\"\"f\"\"\", \"\");",
        &[
            "a\\n: F 0 escapes",
            "b\\c: F 1 verbatim",
            "d\"\"e: F 2 escapes verbatim",
            "f: F 3 verbatim",
            ": F 4",
        ],
    );
    assert_eq!(
        found(
            "class A {\n\tclass B { string a = \"a\"; }\n\t[Export(\"b\")] int c;\n}\nclass B { string c = \"c\"; }\n"
        ),
        ["a: Other inner", "b: Other", "c: Other inner",]
    );
    assert_eq!(found("class A {\n\tvoid B() { F(\"a\" +; ) }\n}\n"), ["a: F 0 uncertain"]);
}
