//! The progress of changes, according to the files themselves.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use godot_project::beneath::Beneath;
use godot_project::inside::{locate, locate_content};
use rayon::prelude::*;

use super::disk;
use super::error::Trouble;
use super::home::Home;
use super::record::{Content, Record, RecordedWrite};

/// How far one part is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// As it was.
    Old,
    /// A file that was copied to another file system, and is not gone yet from where it was.
    Copied,
    /// It has its new contents.
    New,
    /// Neither, and why.
    Neither(Trouble),
}

/// How far the parts of a record are.
#[derive(Debug)]
pub(super) struct Progress {
    pub(super) moves: Vec<(Part, Route)>,
    pub(super) removals: Vec<(Part, Route)>,
    pub(super) restores: Vec<(Part, Route)>,
    /// With the current path of the file, from the project's folder.
    pub(super) writes: Vec<(Part, PathBuf)>,
}

/// From where to where something comes, from the project's folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
}

impl Progress {
    pub(super) fn of(home: &Home, record: &Record) -> Self {
        let root = home.root().path();
        let part = |path: &str, route: io::Result<Route>| match route {
            Ok(route) => (of_route(home.root(), path, &route), route),
            Err(error) => (Part::Neither(Trouble::new(path, error)), Route::default()),
        };
        let moves = record.moves.iter().map(|moved| {
            let route =
                || Ok(Route { from: locate(root, &moved.from)?, to: locate(root, &moved.to)? });
            part(&moved.from, route())
        });
        let moves: Vec<(Part, Route)> = moves.collect();
        let removals = record.removals.iter().map(|kept| {
            let route =
                locate(root, &kept.path).map(|from| Route { from, to: home.slot(kept.slot) });
            part(&kept.path, route)
        });
        let restores = record.restores.iter().map(|kept| {
            let route = locate(root, &kept.path).map(|to| Route { from: home.slot(kept.slot), to });
            part(&kept.path, route)
        });
        let routes = record.routes();
        let write = |write: &RecordedWrite| {
            let path = match routes.of(&write.path) {
                Some((index, rest)) if moves[index].0 == Part::New => {
                    format!("{}{rest}", record.moves[index].to)
                }
                _ => write.path.clone(),
            };
            match locate_content(root, &path) {
                Ok(place) => (of_write(home.root(), &path, &place, write), place),
                Err(error) => (Part::Neither(Trouble::new(path, error)), PathBuf::new()),
            }
        };
        let writes = record.writes.par_iter().map(write).collect();
        Self { removals: removals.collect(), restores: restores.collect(), writes, moves }
    }

    /// The files with neither their old nor their new contents.
    pub(super) fn neither(&self) -> Vec<Trouble> {
        let trouble = |part: &Part| match part {
            Part::Neither(trouble) => Some(trouble.clone()),
            _ => None,
        };
        self.parts().filter_map(trouble).collect()
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        let routes = self.moves.iter().chain(&self.removals).chain(&self.restores);
        self.writes.iter().map(|(part, _)| part).chain(routes.map(|(part, _)| part))
    }
}

fn of_route(root: &Beneath, path: &str, Route { from, to }: &Route) -> Part {
    let neither = |reason: &str| Part::Neither(Trouble::new(path, reason));
    if disk::is_same_entry(root, from, to) {
        return if disk::has_name(root, from) { Part::Old } else { Part::New };
    }
    let is_there = |place: &Path| match root.metadata(place) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Part::Neither(Trouble::new(path, error))),
    };
    match (is_there(from), is_there(to)) {
        (Err(part), _) | (_, Err(part)) => part,
        (Ok(true), Ok(false)) => Part::Old,
        (Ok(false), Ok(true)) => Part::New,
        (Ok(true), Ok(true)) if disk::are_equal(root, from, to) => Part::Copied,
        (Ok(true), Ok(true)) => neither("source and target both exist"),
        (Ok(false), Ok(false)) => neither("it is gone"),
    }
}

fn of_write(root: &Beneath, path: &str, place: &Path, write: &RecordedWrite) -> Part {
    let now = match root.read(place) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Part::Neither(Trouble::new(path, error)),
    };
    let is_now =
        |content: &Option<Content>| now.as_deref() == content.as_ref().map(|content| &*content.0);
    if is_now(&write.before) {
        return Part::Old;
    }
    if is_now(&write.after) {
        return Part::New;
    }
    let reason = if now.is_none() { "it is gone" } else { "it has changed since it was read" };
    Part::Neither(Trouble::new(path, reason))
}
