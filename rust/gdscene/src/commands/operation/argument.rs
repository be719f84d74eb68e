//! An argument of a command that is an operation, and the value that it has there.

use std::fmt;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use godot_project::Project;
use serde_json::{Map, Value as Json, json};

use crate::commands::operate::OperateError;
use crate::commands::refactor::res_path;
use crate::inputs::Problem;

/// An argument, which is the value of a key of the operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    /// As the help shows it: `NODE`, `--before NAME`, `--unique`.
    usage: &'static str,
    pub(super) key: &'static str,
    takes: Takes,
    help: &'static str,
    /// Arguments that must not be given with it.
    conflicts: &'static [&'static str],
    /// The option without which it must be given.
    unless: Option<&'static str>,
}

/// What an argument takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Takes {
    Text,
    /// Any number of texts.
    Texts,
    Integer,
    /// A number from 0 on, which is 0 if it is not given.
    Count,
    /// A path of the file system, or `res://…`.
    Path,
    /// A path: the value is the resource in that file.
    Resource,
    /// A value as Godot's text.
    Value,
    /// Any number of these.
    Values,
    /// Any number of `PROPERTY=VALUE`.
    Properties,
    /// Nothing: the flag means this.
    Flag(bool),
    /// Nothing: the text of the argument with the same key is JSON.
    Json,
}

pub(super) const fn arg(
    usage: &'static str,
    key: &'static str,
    takes: Takes,
    help: &'static str,
) -> Argument {
    Argument { usage, key, takes, help, conflicts: &[], unless: None }
}

impl Argument {
    pub(super) const fn not_with(self, conflicts: &'static [&'static str]) -> Self {
        Self { conflicts, ..self }
    }

    pub(super) const fn required_unless(self, option: &'static str) -> Self {
        Self { unless: Some(option), ..self }
    }

    /// The name of the option, or the key.
    fn id(&self) -> &'static str {
        let option = self.usage.strip_prefix("--");
        option.map_or(self.key, |option| option.split(' ').next().unwrap_or(option))
    }

    pub(super) fn clap(&self) -> Arg {
        let arg = Arg::new(self.id()).help(self.help).conflicts_with_all(self.conflicts);
        let arg = match self.takes {
            Takes::Flag(_) | Takes::Json => arg.action(ArgAction::SetTrue),
            Takes::Texts | Takes::Values => arg.action(ArgAction::Append),
            Takes::Properties => arg.action(ArgAction::Append).value_parser(property),
            Takes::Integer => arg.value_parser(value_parser!(i64)),
            Takes::Count => arg.value_parser(value_parser!(u32)).default_value("0"),
            Takes::Text | Takes::Path | Takes::Resource | Takes::Value => arg,
        };
        let is_signed = matches!(self.takes, Takes::Integer | Takes::Value | Takes::Values);
        let arg = arg.allow_negative_numbers(is_signed);
        if self.usage.starts_with("--") {
            let arg = arg.long(self.id());
            return match self.usage.split_once(' ') {
                Some((_, value)) => arg.value_name(value),
                None => arg,
            };
        }
        let arg = arg.value_name(self.usage);
        let arg = if matches!(self.takes, Takes::Texts) { arg.num_args(1..) } else { arg };
        match self.unless {
            Some(option) => arg.required_unless_present(option),
            None => arg.required(true),
        }
    }

    /// The value that the user gave, as the operation has it.
    pub(super) fn value(
        &self,
        given: &ArgMatches,
        project: &Project,
    ) -> Result<Option<Json>, OperateError> {
        let id = self.id();
        let text = || given.get_one::<String>(id);
        let texts = || given.get_many::<String>(id).into_iter().flatten();
        let path = || text().map(|path| res_path(project, path)).transpose();
        Ok(match self.takes {
            Takes::Text => text().map(|text| json!(text)),
            Takes::Texts => Some(texts().cloned().collect()),
            Takes::Integer => given.get_one::<i64>(id).map(|number| json!(number)),
            Takes::Count => given.get_one::<u32>(id).map(|count| json!(count)),
            Takes::Path => path()?.map(Json::from),
            Takes::Resource => path()?.map(|path| json!({"load": path})),
            Takes::Value => text().map(|text| godot(text)),
            Takes::Values => Some(texts().map(|text| godot(text)).collect()),
            Takes::Properties => {
                let properties = given.get_many::<(String, String)>(id).into_iter().flatten();
                let values = properties.map(|(name, text)| (name.clone(), godot(text)));
                Some(values.collect::<Map<_, _>>().into())
            }
            Takes::Flag(meaning) => given.get_flag(id).then_some(json!(meaning)),
            Takes::Json if !given.get_flag(id) => None,
            Takes::Json => {
                let text = given.get_one::<String>(self.key).map_or("", String::as_str);
                Some(serde_json::from_str(text).map_err(not_json)?)
            }
        })
    }
}

/// A value that Godot's text says.
fn godot(text: &str) -> Json {
    json!({"godot": text})
}

fn property(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write PROPERTY=VALUE".to_owned()),
    }
}

/// What is wrong with the JSON of a value.
pub(super) fn not_json(error: impl fmt::Display) -> OperateError {
    let reason = format!("not valid JSON: {error}");
    OperateError::Input(Problem { path: "VALUE".into(), reason })
}
