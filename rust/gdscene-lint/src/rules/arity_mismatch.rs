//! SIG005

use godot_project::SceneContext;
use godot_project::object_type::Member;
use godot_tscn::{GodotVersion, Reporter, Section, quote};

use crate::rules::declare_rule;
use crate::rules::unknown_signal::{connections, text};

declare_rule! {
    /// ## What it does
    /// Reports a connection whose method takes a different number of arguments than the signal passes. The connection
    /// passes the signal's arguments, minus `unbinds`, plus the values in `binds`. Before Godot 4.6, `binds` has no
    /// effect if `unbinds` is set.
    ///
    /// The rule ignores signals of scripts that are declared without parentheses, and signals that are emitted with a
    /// different number of arguments than they declare.
    ///
    /// ## Why is this bad?
    /// When the signal is emitted, Godot does not call the method and prints `Method expected 0 argument(s), but called
    /// with 1`.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Button"]
    ///
    /// [connection signal="toggled" from="." to="." method="hide"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Button"]
    ///
    /// [connection signal="toggled" from="." to="." method="hide" unbinds=1]
    /// ```
    ///
    /// ## References
    /// `Object::emit_signalp` (core/object/object.cpp), `GDScriptFunction::call` (modules/gdscript/gdscript_vm.cpp)
    "SIG005", "arity-mismatch", Warning
}

/// Bit of `flags`: the source of the signal is one more argument (`Object::CONNECT_APPEND_SOURCE_OBJECT`, since 4.5).
const APPEND_SOURCE_OBJECT: i64 = 16;

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for section in connections(context) {
        let Some(field) = section.field("method") else { continue };
        let (Some(from), Some(to)) = (text(section, "from"), text(section, "to")) else { continue };
        let (Some(signal), Some(method)) = (text(section, "signal"), text(section, "method"))
        else {
            continue;
        };
        let source = context.attached_at(&from);
        let emitted = match source.signal(&signal) {
            Member::Native(signal) => signal.argument_count(),
            Member::Script(signal) => match signal.argument_count {
                Some(count) => count,
                None => continue,
            },
            Member::Unknown | Member::Nothing => continue,
        };
        let target = context.attached_at(&to);
        let (least, most) = match target.method(&method) {
            Member::Native(method) => (method.least, method.most),
            Member::Script(function) => (function.least, function.most),
            Member::Unknown | Member::Nothing => continue,
        };
        let Some(given) = given(context, section, emitted) else { continue };
        if given >= least && most.is_none_or(|most| given <= most) {
            continue;
        }
        let takes = match most {
            Some(1) if least == 1 => "1 argument".to_owned(),
            Some(most) if most == least => format!("{most} arguments"),
            Some(most) => format!("{least} to {most} arguments"),
            None => format!("{least} or more arguments"),
        };
        let message = format!(
            "{} takes {takes}, but gets {given} from {}",
            quote(method.as_bytes()),
            quote(signal.as_bytes())
        );
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence(
            "Godot prints an error when the signal is emitted, and does not call the method",
        );
        if let Some(most) = most.filter(|most| given > *most && section.field("binds").is_none()) {
            diagnostic.help(format!("`unbinds={}` drops the extra arguments", given - most));
        }
    }
}

/// Since this version, `binds` count next to `unbinds` (pull request 108741).
const BINDS_BESIDE_UNBINDS: GodotVersion = GodotVersion { major: 4, minor: 6 };

/// How many arguments the method gets: first `unbinds` takes from those of the signal, then `binds` adds its own.
fn given(context: &SceneContext<'_>, section: Section<'_>, emitted: usize) -> Option<usize> {
    let flags = section.field("flags").and_then(godot_tscn::Field::int).unwrap_or(2);
    let appended = usize::from(flags & APPEND_SOURCE_OBJECT != 0);
    let unbinds = match section.field("unbinds") {
        Some(field) => usize::try_from(field.int()?).ok()?,
        None => 0,
    };
    let binds = match section.field("binds") {
        Some(field) => field.value_tree().root().children().count(),
        None => 0,
    };
    let is_older =
        context.project.settings().version.is_some_and(|version| version < BINDS_BESIDE_UNBINDS);
    let binds = if unbinds > 0 && is_older { 0 } else { binds };
    Some((emitted + appended).checked_sub(unbinds)? + binds)
}
