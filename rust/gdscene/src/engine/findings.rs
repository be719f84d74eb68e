//! From what an engine reports to findings in files.
//!
//! The engine says most things several times: a script that does not compile, the script that could not be loaded, the
//! scene that could not be loaded because of it. The first one is kept.

use std::collections::BTreeSet;

use gdscene_lint::{EngineFinding, EngineRule, Verdict};
use godot_project::Project;
use memchr::memmem;

use super::load::{End, Loaded};
use super::output::{Frame, Report, ReportKind};

/// Reports that begin with one of these repeat that the file which they name was not loaded.
const REPEATED: &[&str] = &[
    "Failed to load script \"",
    "Failed loading resource: ",
    "Error loading resource: '",
    "Resource file not found: ",
    "Shader compilation failed.",
    "Failed to instantiate an autoload, ",
    "Failed to create an autoload, ",
    "Attempt to open script '",
    "Error loading extension: '",
    "Cannot open file '",
    "Condition \"!FileAccess::exists(path)\" is true.",
];

/// What a script's error says if the cause is in another script.
const OF_OTHERS: &[&str] = &[
    "because of a parser error",
    "Failed to compile depended scripts",
    "Could not resolve script",
    "Could not resolve super class",
    "Could not preload resource script",
];

/// The findings in the files of a project.
pub(super) fn findings(
    project: &Project,
    paths: &[String],
    loaded: &Loaded,
    verdict: &mut Verdict,
) {
    let reader = Reader { project, paths };
    let (mut repeated, mut said) = (BTreeSet::new(), BTreeSet::new());
    for (at, report) in &loaded.reports {
        match reader.finding(*at, report) {
            // A file is loaded again with each that needs it, and the engine says the same again.
            Found::New(_, finding)
                if finding.kind == EngineRule::LoadWarning
                    && finding.line.is_none()
                    && !said.insert(finding.message.clone()) => {}
            Found::New(path, finding) => verdict.add(path, finding),
            Found::Repeated(path) => repeated.extend(path),
            Found::Nothing => {}
        }
    }
    for warning in &loaded.warnings {
        let message = format!("{} ({})", sentence(&warning.message), warning.code);
        let mut finding =
            EngineFinding::new(EngineRule::ScriptWarning, Some(warning.line), message);
        let name = warning.code.to_lowercase();
        finding.help =
            Some(format!("if it is meant, write `@warning_ignore(\"{name}\")` above the line"));
        verdict.add(&warning.path, finding);
    }
    for (number, end) in &loaded.ended {
        let (path, finding) = ended(&paths[*number], end);
        // The last words of the engine say the same.
        verdict.retain(|other, found| {
            other != path || found.line != finding.line || found.kind != EngineRule::RuntimeError
        });
        verdict.add(path, finding);
    }
    let refused = loaded.refused.iter().map(|number| paths[*number].as_str());
    for path in refused.chain(repeated.iter().map(String::as_str)) {
        if verdict.of(path).is_empty() && project.file(path).is_some() {
            let message = "Godot does not load this file";
            verdict.add(path, EngineFinding::new(EngineRule::LoadError, None, message));
        }
    }
    let explained: BTreeSet<String> = verdict.paths().map(str::to_owned).collect();
    verdict.retain(|path, finding| !is_consequence(path, finding, &explained));
    verdict.join(|found| found.kind == EngineRule::LoadWarning && found.line.is_none(), join);
}

/// What the engine says of a file as a whole, as one finding; nothing if it says with an error what is wrong.
fn join(all: Vec<EngineFinding>, others: &[EngineFinding]) -> Option<EngineFinding> {
    if others.iter().any(|found| found.kind == EngineRule::LoadError) {
        return None;
    }
    let count = all.len();
    let mut first = all.into_iter().next()?;
    if count > 1 {
        first.message.push_str(&format!(", and {} more messages", count - 1));
    }
    Some(first)
}

/// What a report is.
enum Found {
    New(String, EngineFinding),
    /// It says only that this file was not loaded.
    Repeated(Option<String>),
    /// It is not about a file of the project.
    Nothing,
}

struct Reader<'p> {
    project: &'p Project,
    paths: &'p [String],
}

impl Reader<'_> {
    /// What a report says that was printed while the file with the number `at` was loaded.
    fn finding(&self, at: Option<usize>, report: &Report) -> Found {
        let current = at.map(|number| self.paths[number].as_str());
        match report.kind {
            ReportKind::Script => self.of_script(current, report),
            ReportKind::Shader => self.of_shader(current, report),
            ReportKind::Error | ReportKind::Warning => self.of_engine(current, report),
        }
    }

    fn of_script(&self, current: Option<&str>, report: &Report) -> Found {
        let compiling = ["Parse Error: ", "Compile Error: "];
        let error = compiling.iter().find_map(|start| report.message.strip_prefix(start));
        let place = report.at.iter().chain(&report.frames).find_map(|frame| self.place(frame));
        let (path, line) = match (place, current) {
            (Some((path, line)), _) => (path, line),
            (None, Some(current)) => (current.to_owned(), None),
            (None, None) => return Found::Nothing,
        };
        let Some(error) = error else {
            let message = sentence(&report.message);
            return Found::New(path, EngineFinding::new(EngineRule::RuntimeError, line, message));
        };
        let mut finding = EngineFinding::new(EngineRule::ScriptError, line, sentence(error));
        if OF_OTHERS.iter().any(|words| error.contains(words)) {
            finding.cause = Some("another script does not compile".to_owned());
        }
        Found::New(path, finding)
    }

    fn of_shader(&self, current: Option<&str>, report: &Report) -> Found {
        let named = report.at.as_ref().and_then(|at| self.place(at));
        let line = report.at.as_ref().map(|at| at.line);
        let (path, line) = match (named, current) {
            (Some((path, line)), _) => (path, line),
            (None, Some(current)) if current.ends_with(".gdshader") => (current.to_owned(), line),
            (None, Some(current)) => {
                (current.to_owned(), line.and_then(|line| self.line_of_code(current, line)))
            }
            (None, None) => return Found::Nothing,
        };
        let message = sentence(&report.message);
        Found::New(path, EngineFinding::new(EngineRule::ShaderError, line, message))
    }

    /// The script or shader of the project that a frame is in, and its line.
    fn place(&self, frame: &Frame) -> Option<(String, Option<u32>)> {
        frame.file.strip_prefix("res://")?;
        Some(match frame.file.split_once("::") {
            Some((path, id)) => (path.to_owned(), self.line_of_script(path, id, frame.line)),
            None => (frame.file.clone(), Some(frame.line)),
        })
    }

    /// The line of a scene in which a line of the script in it is.
    fn line_of_script(&self, path: &str, id: &str, line: u32) -> Option<u32> {
        let text = self.project.read(self.project.file(path)?).ok()?;
        let tag = format!("[sub_resource type=\"GDScript\" id=\"{id}\"]");
        let tag = memmem::find(&text, tag.as_bytes())?;
        let source = tag + memmem::find(&text[tag..], b"\nscript/source = \"")? + 1;
        Some(line_at(&text, source) + line)
    }

    /// The line of a text resource in which a line of the shader in it is. Nothing if there are several shaders.
    fn line_of_code(&self, path: &str, line: u32) -> Option<u32> {
        let text = self.project.read(self.project.file(path)?).ok()?;
        let mut codes = memmem::find_iter(&text, b"\ncode = \"").map(|at| at + 1);
        let (at, None) = (codes.next()?, codes.next()) else { return None };
        Some(line_at(&text, at) + line)
    }

    fn of_engine(&self, current: Option<&str>, report: &Report) -> Found {
        let message = report.message.as_str();
        if REPEATED.iter().any(|start| message.starts_with(start)) {
            let is_there = |path: &&str| self.project.file(path).is_some();
            return Found::Repeated(named(message).filter(is_there).map(str::to_owned));
        }
        // The asset itself is loaded, too; or it is missing, and a rule of ours reports that.
        let is_imported = |path: &str| path.starts_with("res://.godot/");
        // A Godot without .NET has no loader for these.
        let is_csharp = |path: &str| path.ends_with(".cs") && self.project.file(path).is_some();
        if named(message).is_some_and(|path| is_imported(path) || is_csharp(path)) {
            return Found::Nothing;
        }
        let function = report.at.as_ref().map_or("", |at| at.function.as_str());
        if function == "push_warning" {
            return Found::Nothing;
        }
        // A function of a script called the engine.
        if let Some((path, line)) = report.frames.iter().find_map(|frame| self.place(frame)) {
            if report.kind == ReportKind::Warning {
                return Found::Nothing;
            }
            let message = sentence(message);
            return Found::New(path, EngineFinding::new(EngineRule::RuntimeError, line, message));
        }
        let is_warning = report.kind == ReportKind::Warning;
        if let Some((path, line, rest)) = of_text_resource(message) {
            let is_error = !is_warning && rest.contains("Parse Error");
            if named(rest).is_some_and(is_csharp) {
                return Found::Nothing;
            }
            let rest = rest.trim_start_matches("Parse Error: ");
            let kind = if is_error { EngineRule::LoadError } else { EngineRule::LoadWarning };
            return Found::New(
                path.to_owned(),
                EngineFinding::new(kind, Some(line), sentence(rest)),
            );
        }
        let path = match (current, named(message)) {
            (_, Some(path)) if self.project.file(path).is_some() => path,
            (Some(current), _) => current,
            // The engine says a lot about the machine when it starts.
            (None, _) => return Found::Nothing,
        };
        let kind = match path.ends_with(".gdextension") && !is_warning {
            true => EngineRule::LoadError,
            false => EngineRule::LoadWarning,
        };
        Found::New(path.to_owned(), EngineFinding::new(kind, None, sentence(message)))
    }
}

/// Whether a finding only follows from those in another file that it names.
fn is_consequence(path: &str, finding: &EngineFinding, explained: &BTreeSet<String>) -> bool {
    finding.kind == EngineRule::LoadError
        && named(&finding.message).is_some_and(|other| other != path && explained.contains(other))
}

fn ended<'p>(path: &'p str, end: &End) -> (&'p str, EngineFinding) {
    match end {
        End::Timeout => {
            let message = "Godot does not finish loading this file in time";
            let mut finding = EngineFinding::new(EngineRule::Timeout, None, message);
            finding.help = Some("--engine-timeout sets the seconds for a file".to_owned());
            (path, finding)
        }
        End::Crash { status, words, place } => {
            let place = place.as_ref();
            let line = place.filter(|(place, _)| place == path).map(|(_, line)| *line);
            let there = match place.filter(|(place, _)| place != path) {
                Some((place, line)) => format!(" in {place}, line {line}"),
                None => String::new(),
            };
            let message = match words {
                Some(words) => format!("Godot crashes when it loads this file{there}: {words}"),
                None => format!("Godot ends when it loads this file{there} ({status})"),
            };
            (path, EngineFinding::new(EngineRule::Crash, line, message))
        }
    }
}

/// `res://a.tscn:3 - message`, or `message [Resource file res://a.tscn:3]`
fn of_text_resource(message: &str) -> Option<(&str, u32, &str)> {
    let (place, rest) = match message.split_once(" [Resource file ") {
        Some((rest, place)) => (place.split_once(']')?.0, rest.trim_end_matches('.')),
        None => message.split_once(" - ")?,
    };
    let (path, line) = place.strip_prefix("res://").and(place.rsplit_once(':'))?;
    Some((path, line.parse().ok()?, rest))
}

/// How many lines end before a place.
fn line_at(text: &[u8], at: usize) -> u32 {
    memchr::memchr_iter(b'\n', &text[..at]).count() as u32
}

/// The path that a message names.
fn named(message: &str) -> Option<&str> {
    gdscene_lint::named_path(message)
}

/// The first line of a message, without its dot.
fn sentence(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default().trim();
    line.strip_suffix('.').unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{of_text_resource, sentence};

    #[test]
    fn places_in_text_resources() {
        let cases = [
            ("res://a b.tscn:6 - Parse Error: x.", Some(("res://a b.tscn", 6, "Parse Error: x."))),
            (
                "Parse Error: Parse error. [Resource file res://b.tscn:8]",
                Some(("res://b.tscn", 8, "Parse Error: Parse error")),
            ),
            ("one - two", None),
            ("res://a.tscn - x", None),
        ];
        for (message, expected) in cases {
            assert_eq!(of_text_resource(message), expected, "{message}");
        }
        assert_eq!(sentence("One.\nTwo."), "One");
    }
}
