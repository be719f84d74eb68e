//! Actions of a script while its scene is instantiated: before that, none of the scene's own text has changed the nodes.

use memchr::memmem;

/// The data in the text of a script on them. Where it is called is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Early {
    /// Whether it adds nodes somewhere, or moves them to another parent.
    pub(super) adds_nodes: bool,
    /// Whether any of its functions runs while the scene is instantiated: the constructor, a setter, `_set`,
    /// `_notification`. `_enter_tree` and `_ready` come later.
    pub(super) runs_code: bool,
}

pub(super) fn of_gdscript(text: &str) -> Early {
    let adding = ["add_child", "add_sibling", "reparent", "replace_by"];
    let running = [
        "func _init",
        "func _notification",
        "func _set(",
        "func _get_property_list",
        "func _validate_property",
        "setget",
    ];
    Early {
        adds_nodes: has_any(text, &adding),
        runs_code: has_any(text, &running) || has_accessor(text, &["(", "=", ":"]),
    }
}

/// `class` is the name of the class.
pub(super) fn of_csharp(text: &str, class: &str) -> Early {
    let adding = ["AddChild(", "AddSibling(", "Reparent(", "ReplaceBy("];
    let running = ["_Notification(", "_Set(", "_GetPropertyList(", "_ValidateProperty("];
    Early {
        adds_nodes: has_any(text, &adding),
        runs_code: has_any(text, &running)
            || has_accessor(text, &["{", "=>"])
            || has_any(text, &[&format!("public {class}(")]),
    }
}

fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}

/// Whether the word `set` is before one of these.
fn has_accessor(text: &str, signs: &[&str]) -> bool {
    memmem::find_iter(text.as_bytes(), b"set").any(|at| {
        let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let starts = at == 0 || !is_inside(text.as_bytes()[at - 1]);
        let after = text[at + "set".len()..].trim_start_matches([' ', '\t', '\r', '\n']);
        starts && signs.iter().any(|sign| after.starts_with(sign))
    })
}

#[cfg(test)]
mod tests {
    use super::{of_csharp, of_gdscript};

    #[test]
    fn setters() {
        for text in [
            "var a: int:\n\tset(v):\n\t\ta = v\n",
            "var a: int:\n\tset = set_a, get = get_a\n",
            "var a setget set_a\n",
            "func _init():\n\tpass\n",
        ] {
            assert!(of_gdscript(text).runs_code, "{text}");
        }
        for text in
            ["func _ready():\n\tnode.set(\"a\", 1)\n", "var offset = 1\n", "func reset():\n"]
        {
            assert!(!of_gdscript(text).runs_code, "{text}");
        }
        assert!(of_csharp("int A { get => a; set { a = value; } }", "B").runs_code);
        assert!(of_csharp("public B() { AddChild(new Node()); }", "B").runs_code);
        assert!(!of_csharp("int A { get; set; }", "B").runs_code);
    }
}
