//! What an engine prints on standard error: its reports, and the marks of our script between them.

/// A report of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) kind: ReportKind,
    /// What it says, in one or more lines.
    pub(super) message: String,
    /// The function, file and line that it names: of the engine, or of a script or shader.
    pub(super) at: Option<Frame>,
    /// The functions of scripts that ran, the innermost first. Godot prints them from 4.5 on.
    pub(super) frames: Vec<Frame>,
}

/// A place in a script, a shader or the engine's own source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) function: String,
    pub(super) file: String,
    pub(super) line: u32,
}

/// What a report begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ReportKind {
    #[default]
    Error,
    Warning,
    Script,
    Shader,
}

/// Something on standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Printed {
    Report(Report),
    Mark(Mark),
    /// The engine's crash handler, and what it says.
    Crash(String),
}

/// What our script says of the file with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It is loaded now.
    Begin(usize),
    /// It was loaded.
    Loaded(usize),
    /// The engine gave nothing for it.
    Refused(usize),
    /// The engine has no loader for it.
    Skipped(usize),
    /// It is compiled again now.
    Again(usize),
    /// All files were tried.
    Done,
}

/// Reads lines of standard error.
#[derive(Debug)]
pub(super) struct Parser {
    /// What marks begin with. Nothing else that runs knows it before.
    token: String,
    report: Option<Report>,
    /// Whether frames of a crash follow.
    has_crashed: bool,
}

/// So much of a message is kept.
const MAX_MESSAGE: usize = 2000;

/// At most this number of frames is kept for a report.
const MAX_FRAMES: usize = 40;

impl Parser {
    pub(super) fn new(token: String) -> Self {
        Self { token, report: None, has_crashed: false }
    }

    /// Takes the next line, and returns what ends with it.
    pub(super) fn line(&mut self, line: &str) -> Vec<Printed> {
        let line = without_colors(line);
        let line = line.as_str();
        if let Some(mark) = self.mark(line) {
            return self.end().into_iter().chain([Printed::Mark(mark)]).collect();
        }
        if let Some(rest) = line.strip_prefix("handle_crash: ") {
            self.has_crashed = true;
            return self.end().into_iter().chain([Printed::Crash(rest.to_owned())]).collect();
        }
        if let Some((kind, message)) = report_start(line) {
            let ended = self.end();
            self.report = Some(Report { kind, message: message.to_owned(), ..Report::default() });
            return ended.into_iter().collect();
        }
        let Some(report) = &mut self.report else {
            let is_of_script = |frame: &Frame| frame.file.starts_with("res://");
            if self.has_crashed
                && let Some(frame) = script_frame(line).filter(is_of_script)
            {
                self.has_crashed = false;
                return vec![Printed::Crash(format!("{}:{}", frame.file, frame.line))];
            }
            return Vec::new();
        };
        match report.at {
            None => match line.trim_start().strip_prefix("at: ").map(frame) {
                Some(at) => report.at = at,
                None if report.message.len() < MAX_MESSAGE => {
                    report.message.push('\n');
                    report.message.push_str(line);
                }
                None => {}
            },
            Some(_) => {
                if let Some(frame) = script_frame(line) {
                    if report.frames.len() < MAX_FRAMES {
                        report.frames.push(frame);
                    }
                } else if !line.trim_end().ends_with("(most recent call first):") {
                    return self.end().into_iter().collect();
                }
            }
        }
        Vec::new()
    }

    /// The report that no further line belongs to.
    pub(super) fn end(&mut self) -> Option<Printed> {
        self.report.take().map(Printed::Report)
    }

    fn mark(&self, line: &str) -> Option<Mark> {
        let rest = line.strip_prefix(&self.token)?;
        let (what, number) = rest.trim().split_once(' ')?;
        let number = number.parse().ok()?;
        Some(match what {
            "begin" => Mark::Begin(number),
            "loaded" => Mark::Loaded(number),
            "refused" => Mark::Refused(number),
            "skipped" => Mark::Skipped(number),
            "again" => Mark::Again(number),
            "done" => Mark::Done,
            _ => return None,
        })
    }
}

/// `USER SCRIPT ERROR: message`
fn report_start(line: &str) -> Option<(ReportKind, &str)> {
    let line = line.strip_prefix("USER ").unwrap_or(line);
    let starts = [
        ("ERROR: ", ReportKind::Error),
        ("WARNING: ", ReportKind::Warning),
        ("SCRIPT ERROR: ", ReportKind::Script),
        ("SHADER ERROR: ", ReportKind::Shader),
    ];
    starts.into_iter().find_map(|(start, kind)| Some((kind, line.strip_prefix(start)?)))
}

/// `[0] function (file:line)`
fn script_frame(line: &str) -> Option<Frame> {
    let rest = line.trim_start().strip_prefix('[')?;
    let (number, rest) = rest.split_once("] ")?;
    number.parse::<u32>().ok()?;
    frame(rest)
}

/// `function (file:line)`. The name of a file may have brackets.
fn frame(text: &str) -> Option<Frame> {
    let (function, place) = text.trim_end().strip_suffix(')')?.split_once(" (")?;
    let (file, line) = place.rsplit_once(':')?;
    let line = line.parse().ok()?;
    Some(Frame { function: function.to_owned(), file: file.to_owned(), line })
}

/// The line without the sequences that colour a terminal.
fn without_colors(line: &str) -> String {
    let mut parts = line.trim_end_matches(['\r', '\n']).split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|char: char| char.is_ascii_alphabetic()).map_or(0, |at| at + 1);
        plain.push_str(&part[end..]);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{Frame, Mark, Parser, Printed, Report, ReportKind};

    fn all(text: &str) -> Vec<Printed> {
        let mut parser = Parser::new("T0".to_owned());
        let mut all: Vec<Printed> = text.lines().flat_map(|line| parser.line(line)).collect();
        all.extend(parser.end());
        all
    }

    fn frame(function: &str, file: &str, line: u32) -> Frame {
        Frame { function: function.to_owned(), file: file.to_owned(), line }
    }

    #[test]
    fn reports_and_marks() {
        let text = "T0 begin 0\nSCRIPT ERROR: Parse Error: bad\n          at: GDScript::reload (res://a (1).gd:3)\n\
            \x20         GDScript backtrace (most recent call first):\n              [0] f (res://b.gd:7)\nprinted\nT0 loaded 0\n";
        let report = Report {
            kind: ReportKind::Script,
            message: "Parse Error: bad".to_owned(),
            at: Some(frame("GDScript::reload", "res://a (1).gd", 3)),
            frames: vec![frame("f", "res://b.gd", 7)],
        };
        let expected = [
            Printed::Mark(Mark::Begin(0)),
            Printed::Report(report),
            Printed::Mark(Mark::Loaded(0)),
        ];
        assert_eq!(all(text), expected);
    }

    #[test]
    fn colors_several_lines_and_reports_without_end() {
        let text = "\x1b[1;31mERROR:\x1b[0;91m one\ntwo\n\x1b[0;90m   at: load (a.cpp:1)\x1b[0m\nWARNING: three\n";
        let first = Report {
            message: "one\ntwo".to_owned(),
            at: Some(frame("load", "a.cpp", 1)),
            ..Report::default()
        };
        let second =
            Report { kind: ReportKind::Warning, message: "three".to_owned(), ..Report::default() };
        assert_eq!(all(text), [Printed::Report(first), Printed::Report(second)]);
    }

    #[test]
    fn a_program_cannot_fake_a_mark() {
        assert_eq!(all("T1 done 0\nbegin 1\nT0 begin x\nT0 other 1\n"), []);
    }

    #[test]
    fn crashes() {
        let text = "handle_crash: Program crashed with signal 4\n[1] /lib/libc.so.6(+0x4) [0x7f] (??:0)\n\
            GDScript backtrace (most recent call first):\n    [0] f (res://crash.gd:5)\n    [1] g (res://b.gd:1)\n";
        assert_eq!(
            all(text),
            [
                Printed::Crash("Program crashed with signal 4".to_owned()),
                Printed::Crash("res://crash.gd:5".to_owned())
            ]
        );
    }

    #[test]
    fn any_text() {
        let mut random = fastrand::Rng::with_seed(3);
        let parts =
            ["T0 ", "begin 1", "ERROR: ", "at: ", "(", ":3)", "[0] ", "\x1b[", "\n", "ä", " "];
        for _ in 0..3000 {
            let text: String =
                (0..random.usize(..12)).map(|_| parts[random.usize(..parts.len())]).collect();
            all(&text);
        }
    }
}
