//! The commands that are one operation each: `gdscene set`, `gdscene add` and others.

mod argument;
mod table;

use std::path::Path;

use clap::error::{Error, ErrorKind};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use gdscene_refactor::{Operation, OperationKind};
use godot_project::Project;
use serde_json::{Map, Value as Json};

use self::argument::{Argument, not_json};
use self::table::COMMANDS;
use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, OperateError, Task, run as operate};
use crate::commands::refactor::plain;

/// One of the commands, with what the user gave.
#[derive(Debug)]
pub(crate) struct OneOperation {
    command: &'static OperationCommand,
    given: ArgMatches,
    operate: OperateArgs,
}

/// What a command is.
#[derive(Debug)]
struct OperationCommand {
    /// The name of the operation. A second word is the name of a command below it.
    name: &'static str,
    /// The first line of the help, unless it is what the operation does.
    about: Option<&'static str>,
    /// The rest of the help.
    details: &'static str,
    /// Its arguments, in lists that several commands share; one has the key `file`. A command with others below it has none.
    arguments: &'static [&'static [Argument]],
}

/// What is before each line of [`OperationCommand::details`] except the first.
const INDENT: &str = "\n         ";

impl OneOperation {
    pub(crate) fn run(&self) -> Status {
        let file = self.given.get_one::<String>("file").map_or("", String::as_str);
        operate(&plain(Path::new(file)), self.operate, |project| {
            Ok(Task { file: None, operations: vec![self.operation(project)?] })
        })
    }

    fn operation(&self, project: &Project) -> Result<Operation, OperateError> {
        let op = Json::from(self.command.operation_name());
        let mut json = Map::from_iter([("op".to_owned(), op)]);
        for argument in self.command.arguments() {
            if let Some(value) = argument.value(&self.given, project)? {
                json.insert(argument.key.to_owned(), value);
            }
        }
        // The table has the keys that operations have: only JSON that the user gave can be wrong.
        Operation::try_from(Json::Object(json)).map_err(not_json)
    }
}

impl OperationCommand {
    const fn about(self, about: &'static str) -> Self {
        Self { about: Some(about), ..self }
    }

    fn operation_name(&self) -> &'static str {
        self.name.split(' ').next().unwrap_or_default()
    }

    fn arguments(&self) -> impl Iterator<Item = &'static Argument> {
        self.arguments.iter().copied().flatten()
    }

    /// The commands with this one's name and a word more.
    fn below(&self) -> impl Iterator<Item = &'static Self> {
        COMMANDS.iter().filter(|other| {
            other.name.rsplit_once(' ').is_some_and(|(above, _)| above == self.name)
        })
    }

    fn clap(&self) -> Command {
        let command = Command::new(self.name.rsplit(' ').next().unwrap_or_default());
        let command = if self.arguments.is_empty() {
            let command = command.subcommand_required(true).arg_required_else_help(true);
            command.subcommands(self.below().map(Self::clap))
        } else {
            OperateArgs::augment_args(command.args(self.arguments().map(Argument::clap)))
        };
        let operation = OperationKind::named(self.operation_name());
        let about = self.about.or(operation.map(|operation| operation.about)).unwrap_or_default();
        let details = self.details.replace(INDENT, "\n");
        // Behind the arguments, which set an `about`.
        command
            .about(format!("{about}."))
            .long_about(format!("{about}.\n\n{details}"))
            .after_help(EXIT_STATUS)
    }
}

impl Subcommand for OneOperation {
    fn augment_subcommands(command: Command) -> Command {
        let top = COMMANDS.iter().filter(|one| !one.name.contains(' '));
        command.subcommands(top.map(OperationCommand::clap))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        COMMANDS.iter().any(|command| command.name == name)
    }
}

impl FromArgMatches for OneOperation {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let (mut name, mut given) = (String::new(), matches);
        while let Some((word, below)) = given.subcommand() {
            name = format!("{name} {word}").trim().to_owned();
            given = below;
        }
        let command = COMMANDS.iter().find(|command| command.name == name);
        let command = command.ok_or_else(|| Error::new(ErrorKind::InvalidSubcommand))?;
        Ok(Self { command, given: given.clone(), operate: OperateArgs::from_arg_matches(given)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gdscene_refactor::OPERATIONS;

    use super::*;

    /// `rename` and `move` are those of the refactorings, and some take what only JSON can say.
    const WITHOUT_COMMAND: &[&str] = &["rename", "move", "set-cells", "add-animation", "configure"];

    #[test]
    fn commands_have_the_keys_of_their_operations() {
        for kind in OPERATIONS.iter().filter(|kind| !WITHOUT_COMMAND.contains(&kind.name)) {
            let commands = COMMANDS.iter().filter(|command| command.operation_name() == kind.name);
            let keys: BTreeSet<&str> = commands
                .flat_map(OperationCommand::arguments)
                .map(|argument| argument.key)
                .collect();
            assert_eq!(keys, kind.keys().collect(), "{}", kind.name);
        }
    }
}
