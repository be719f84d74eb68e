//! The names in each file of a project.

use hashbrown::{HashMap, HashSet};

use super::scan::{Index, Named, Scan, Start, TextKind, is_beside};
use super::{KeptReason, Reversed, State, Usage, compressed, kinds, models, presets, roots};
use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::FactsKind;
use crate::res_path::{extension_of, folder_of, name_of};

/// The names in the files of a project.
#[derive(Debug, Default)]
pub(super) struct Edges {
    /// For each file.
    named: Vec<Named>,
    /// Binary resources that cannot be unpacked.
    unreadable: Vec<FileId>,
    /// Whether a script builds paths from `res://` alone.
    has_bare: bool,
}

/// Larger files are not texts that name others.
const MAX_TEXT: u64 = 256 << 20;

impl Edges {
    /// Reads all texts.
    ///
    /// By threads of their own: one of rayon's that waited for others might take up a check that asks for this, and wait
    /// for itself.
    pub(super) fn new(project: &Project) -> Self {
        let mut index = Index::new(project);
        for file in project.files() {
            for name in roots::class_names(project, file) {
                index.classes.entry(name).or_default().push(file);
            }
        }
        let parts = models::parts(project);
        index.made = parts.made;
        let files: Vec<FileId> = project.files().collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let named: Vec<(Named, bool)> = std::thread::scope(|scope| {
            // Neighbours are alike, so each thread takes every so manyth.
            let work = |first: usize| {
                let mine = files.iter().skip(first).step_by(threads);
                mine.map(|file| read(project, &index, *file)).collect::<Vec<_>>()
            };
            let running: Vec<_> =
                (0..threads).map(|first| scope.spawn(move || work(first))).collect();
            let mut parts: Vec<_> = running
                .into_iter()
                .map(|part| {
                    part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).into_iter()
                })
                .collect();
            (0..files.len()).map(|at| parts[at % threads].next().unwrap_or_default()).collect()
        });
        let is_unreadable = |(file, named): (&FileId, &(Named, bool))| named.1.then_some(*file);
        let unreadable = files.iter().zip(&named).filter_map(is_unreadable).collect();
        let named: Vec<Named> = named.into_iter().map(|(named, _)| named).collect();
        let has_bare =
            files.iter().any(|file| named[file.index()].bare_line(project.path(*file)).is_some());
        let mut edges = Self { named, unreadable, has_bare };
        for (from, to) in parts.pairs {
            edges.named[from.index()].certain.insert(to);
        }
        edges
    }

    /// The files that `file` certainly names.
    pub(super) fn certain(&self, file: FileId) -> impl Iterator<Item = FileId> {
        self.named[file.index()].certain.iter().copied()
    }

    /// Calls `found` with each file that `file` may name.
    pub(super) fn doubts(
        &self,
        project: &Project,
        file: FileId,
        starts: &mut Starts,
        mut found: impl FnMut(FileId, KeptReason),
    ) {
        let named = &self.named[file.index()];
        for (to, (line, name)) in &named.doubtful {
            found(*to, by_name(project, file, name, *line));
        }
        if self.has_bare {
            for (to, (line, name)) in &named.stems {
                found(*to, by_name(project, file, name, *line));
            }
        }
        for (start, reason) in named.open_paths(project.path(file)) {
            starts.expand(project, &start, |to| found(to, reason.clone()));
        }
    }

    /// Why `file` may name `to`.
    pub(super) fn doubt(&self, project: &Project, file: FileId, to: FileId) -> Option<KeptReason> {
        let named = &self.named[file.index()];
        let stem = named.stems.get(&to).filter(|_| self.has_bare);
        let by_name = named
            .doubtful
            .get(&to)
            .or(stem)
            .map(|(line, name)| by_name(project, file, name, *line));
        let path = project.path(to);
        let by_path = || {
            let mut open = named.open_paths(project.path(file));
            open.find(|(start, _)| start.may_be(path)).map(|(_, reason)| reason)
        };
        by_name.or_else(by_path)
    }

    /// The files that name each file, among those that `is_asked`.
    pub(super) fn reversed(&self, is_asked: impl Fn(FileId) -> bool) -> Reversed {
        let mut reversed: Reversed = HashMap::new();
        for file in
            (0..self.named.len() as u32).map(FileId::of_index).filter(|file| is_asked(*file))
        {
            for to in self.certain(file).filter(|to| *to != file) {
                reversed.entry(to).or_default().push(file);
            }
        }
        reversed
    }

    /// The limits of the judgement.
    pub(super) fn notes(&self, project: &Project, usage: &Usage) -> Vec<(String, u32, String)> {
        let mut notes = Vec::new();
        for file in project.files().filter(|file| *usage.state(*file) != State::Unused) {
            let path = project.path(file);
            if let Some(line) = self.named[file.index()].bare_line(path) {
                let reason = "a path that starts with only `res://` may be built here";
                notes.push((path.to_owned(), line, reason.to_owned()));
            }
        }
        notes.extend(missing(project, usage));
        for file in &self.unreadable {
            let reason = "it cannot be unpacked, so its uses are unknown";
            notes.push((project.path(*file).to_owned(), 0, reason.to_owned()));
        }
        notes
    }
}

fn by_name(project: &Project, file: FileId, name: &str, line: u32) -> KeptReason {
    KeptReason::Named { name: name.to_owned(), path: project.path(file).to_owned(), line }
}

impl Named {
    /// Where the file at `path`, if it is a script of the project's own, has `res://` and nothing else.
    fn bare_line(&self, path: &str) -> Option<u32> {
        let is_own = FactsKind::of(path) == FactsKind::Script && !is_in_addon(path);
        self.bare.filter(|_| is_own)
    }

    /// The paths that a file at `path` may build, each with the reason to keep the matching files.
    fn open_paths<'n>(&'n self, path: &'n str) -> impl Iterator<Item = (Start, KeptReason)> + 'n {
        let is_wide = |start: &Start| start.start.len() <= "res://".len() && is_in_addon(path);
        let starts = self.starts.iter().filter(move |(start, _)| !is_wide(start));
        let starts = starts.map(move |(start, line)| {
            let gap = if start.end.is_empty() { "" } else { "…" };
            let reason = KeptReason::PathPutTogether {
                start: format!("{}{gap}{}", start.start, start.end),
                path: path.to_owned(),
                line: *line,
            };
            (start.clone(), reason)
        });
        let own = self.own_folder.map(|line| {
            let own = Start { start: format!("{}/", folder_of(path)), end: String::new() };
            (own, KeptReason::OwnFolder { path: path.to_owned(), line })
        });
        // In the root this would be all files.
        starts.chain(own.filter(|(own, _)| own.start.len() > "res://".len()))
    }
}

/// A note that used files name missing files: they might use others.
fn missing(project: &Project, usage: &Usage) -> Option<(String, u32, String)> {
    let mut first = None;
    let mut missing: HashSet<String> = HashSet::new();
    for file in project.files().filter(|file| *usage.state(*file) != State::Unused) {
        for resource in &project.facts(file).ext_resources {
            if let ResolvedPath::Missing(path) =
                project.resolve_external(project.path(file), resource)
                && matches!(
                    FactsKind::of(&path),
                    FactsKind::Text | FactsKind::Script | FactsKind::Binary
                )
            {
                first.get_or_insert(file);
                missing.insert(path);
            }
        }
    }
    let count = missing.len();
    let files = if count == 1 { "a missing file" } else { "missing files" };
    let text = format!(
        "this and other files refer to {files} ({count} in the project), which might use further files"
    );
    Some((project.path(first?).to_owned(), 0, text))
}

pub(super) fn is_in_addon(path: &str) -> bool {
    path.starts_with("res://addons/")
}

/// The names in a file, and whether it is unreadable.
fn read(project: &Project, index: &Index, file: FileId) -> (Named, bool) {
    let base = project.path(file);
    if is_beside(base) || project.size(file) > MAX_TEXT {
        return Default::default();
    }
    let kind = text_kind(base);
    let mut scan = Scan::new(project, index, base, kind.unwrap_or(TextKind::Code));
    let mut is_unreadable = false;
    if kind.is_some()
        && let Ok(content) = project.read(file)
    {
        match compressed::unpacked(&content) {
            Some(content) => text(&mut scan, &content),
            None => is_unreadable = true,
        }
    }
    // The files that the import needs, and those that it makes.
    for beside in kinds::companions(project, file) {
        if FactsKind::of(project.path(beside)) == FactsKind::Import
            && let Ok(content) = project.read(beside)
        {
            scan.kind = TextKind::Binary;
            models::import(&content, |part| scan.text(part, 1));
        }
    }
    scan.named.certain.remove(&file);
    scan.named.doubtful.remove(&file);
    scan.named.stems.remove(&file);
    (scan.named, is_unreadable)
}

fn text(scan: &mut Scan<'_>, content: &[u8]) {
    const HEAD: usize = 8000;
    let is_binary = memchr::memchr(0, &content[..content.len().min(HEAD)]).is_some();
    if is_binary && scan.kind != TextKind::Model {
        scan.kind = TextKind::Binary;
    }
    // Blender can compress its files.
    let is_packed = [&[0x28, 0xb5, 0x2f, 0xfd][..], &[0x1f, 0x8b]]
        .iter()
        .any(|magic| content.starts_with(magic));
    if is_packed && scan.kind == TextKind::Model {
        let start = format!("{}/", folder_of(scan.base));
        scan.named.starts.insert(Start { start, end: String::new() }, 1);
        return;
    }
    match name_of(scan.base) {
        "project.godot" | "override.cfg" => {
            presets::settings(content, |part, line| scan.text(part, line));
        }
        "export_presets.cfg" => presets::presets(content, |part, line| scan.text(part, line)),
        _ => scan.text(content, 1),
    }
}

/// How a file is read, by its name; nothing for a file that names no others.
fn text_kind(path: &str) -> Option<TextKind> {
    match &*extension_of(path) {
        "png" | "jpg" | "jpeg" | "webp" | "bmp" | "tga" | "exr" | "hdr" | "dds" | "ktx" | "gif"
        | "ico" | "icns" | "psd" | "xcf" | "wav" | "ogg" | "mp3" | "ogv" | "mp4" | "avi"
        | "mov" | "flac" | "aif" | "aiff" | "mid" | "ttf" | "otf" | "ttc" | "otc" | "woff"
        | "woff2" | "pfb" | "zip" | "pck" | "7z" | "rar" | "gz" | "xz" | "jar" | "aar" | "apk"
        | "so" | "dll" | "dylib" | "exe" | "a" | "lib" | "o" | "wasm" | "pdb" | "pdf" | "bin"
        | "translation" => None,
        "md" | "txt" | "rst" | "adoc" | "html" | "htm" | "org" => Some(TextKind::Prose),
        "glb" | "gltf" | "fbx" | "blend" | "dae" | "obj" | "mtl" => Some(TextKind::Model),
        "" => Some(TextKind::Prose),
        _ => Some(TextKind::Code),
    }
}

/// The paths that may be built, each searched once.
#[derive(Default)]
pub(super) struct Starts {
    seen: HashSet<Start>,
}

/// At most this number of different ones is searched; after that, all files may be meant.
const MAX_STARTS: usize = 4096;

impl Starts {
    fn expand(&mut self, project: &Project, start: &Start, mut found: impl FnMut(FileId)) {
        if self.seen.len() > MAX_STARTS || !self.seen.insert(start.clone()) {
            return;
        }
        if self.seen.len() > MAX_STARTS {
            project.files().for_each(found);
            return;
        }
        let files = project.files_that_start_with(&start.start);
        files.filter(|file| start.may_be(project.path(*file))).for_each(&mut found);
    }
}
