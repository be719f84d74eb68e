//! A new name for a variable of a script, in the scripts and in all that holds its values.

#[cfg(test)]
mod csharp_tests;
mod in_text;
mod owner;
#[cfg(test)]
mod tests;

use godot_project::res_path::extension_of;
use godot_project::scripts::Chain;
use godot_project::scripts::uses::{MemberKind, MemberUses};
use godot_project::{FileId, Plan, Project, Script};

use crate::csharp::{self, InCsharp};
use crate::draft::{FileDraft, plan_of_mentions};
use crate::error::not_understood;
use crate::names::check_identifier;
use crate::rename_member::{files_with_code, quoted_in_csharp};
use crate::{RefactorError, member_name};

use owner::Owner;

const KIND: &str = "variable name";

/// Plans the changes when the variable `old` of the script at `script` (`res://…`) gets the name `new`.
///
/// Its values in scenes and resources get the new key: on nodes and resources with the script or a derived one, also in
/// instanced and inherited scenes, with the names in `node_paths` and the paths of animation tracks. Uses in scripts
/// change where it is certain that they mean this variable; those in C# if the script itself is in C#.
///
/// If the script has been changed already, and has `new` but not `old`, only the references in other files
/// change.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("enemy.gd", "extends Node\n@export var health := 3\n");
/// # write("a.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://enemy.gd\" id=\"1\"]\n\n\
/// #     [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\nhealth = 5\n");
/// let project = godot_project::Project::open(folder.path())?;
/// let plan = gdscene_refactor::rename_property(&project, "res://enemy.gd", "health", "max_health")?;
/// assert_eq!(plan.files[0].path, "res://a.tscn");
/// assert_eq!(plan.files[1].path, "res://enemy.gd");
/// assert!(plan.files[0].new_text().ends_with(b"max_health = 5\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is no such script or variable, when the new name is invalid or taken, and when a file cannot be read.
pub fn rename_property(
    project: &Project,
    script: &str,
    old: &str,
    new: &str,
) -> Result<Plan, RefactorError> {
    let file = script_file(project, script)?;
    check_identifier(new, KIND)?;
    let is_csharp = extension_of(script) == "cs";
    let declared = project.scripts().script(file);
    // In C#, its grammar shows whether the script is understood, and the rest of a class does not matter.
    let is_known =
        |found: &&Script| found.is_complete || is_csharp && found.variable(old).is_some();
    let declared = declared.filter(is_known).ok_or_else(|| not_understood(project, file))?;
    let chain = project.scripts().chain(project, file);
    let is_renamed_already = is_renamed_already(project, script, declared, &chain, old, new)?;
    let uses = MemberUses::new(project, file, old, MemberKind::Variable);
    let is_in_csharp = is_csharp && !is_renamed_already;
    if is_in_csharp {
        csharp::check_free(project, (script, declared), &chain, (new, MemberKind::Variable))?;
    } else if !is_renamed_already {
        member_name::check_free(project, &uses, script, new)?;
    }
    let csharp =
        is_in_csharp.then(|| InCsharp::new(project, file, MemberKind::Variable, (old, new)));
    let csharp = csharp.transpose()?;
    let owner = Owner { project, script: declared, old, new, is_renamed_already };
    let (title, files) = if is_renamed_already {
        let title =
            format!("migrate stored values from `{old}` to `{new}`, the new name in `{script}`");
        (title, project.text_files())
    } else {
        let title = format!("rename the variable `{old}` of `{script}` to `{new}`");
        (title, files_with_code(project))
    };
    plan_of_mentions(project, title, files, old, |file, draft| {
        match &*extension_of(&draft.path) {
            "gd" => in_script(&uses, new, file, draft),
            "cs" => match &csharp {
                Some(csharp) => csharp.in_script(draft)?,
                None => quoted_in_csharp(old, draft),
            },
            _ => in_text::rename(&owner, file, draft)?,
        }
        Ok(())
    })
}

fn in_script(uses: &MemberUses<'_>, new: &str, file: FileId, draft: &mut FileDraft) {
    let found = uses.in_script(file);
    for (span, what) in found.certain {
        draft.edit(span, new, what);
    }
    for (span, why) in found.doubts {
        draft.doubt(span, why);
    }
}

fn script_file(project: &Project, path: &str) -> Result<FileId, RefactorError> {
    let file =
        project.file(path).ok_or_else(|| RefactorError::NoSuchFile { path: path.to_owned() })?;
    match project.scripts().script(file) {
        Some(_) => Ok(file),
        None => Err(RefactorError::WrongKind { path: path.to_owned(), wanted: "a script" }),
    }
}

/// Whether the script itself has the new name already; else it has the old one.
fn is_renamed_already(
    project: &Project,
    path: &str,
    script: &Script,
    chain: &Chain<'_>,
    old: &str,
    new: &str,
) -> Result<bool, RefactorError> {
    if script.variable(old).is_some() {
        return Ok(false);
    }
    let declares = |script: &&Script| script.variable(old).is_some();
    if chain.scripts.iter().map(AsRef::as_ref).find(declares).is_some() {
        let place = place_of_base(project, chain, old);
        return Err(RefactorError::Refused(format!(
            "`{path}` inherits `{old}` from the script that it extends{place}; rename it there"
        )));
    }
    if script.variable(new).is_some() {
        return Ok(true);
    }
    let names = script.variables.iter().map(|variable| variable.name.as_bytes());
    let near = godot_tscn::nearest(old.as_bytes(), names);
    Err(RefactorError::NotFound {
        path: path.to_owned(),
        kind: "variable",
        name: old.to_owned(),
        near: near.map(|near| String::from_utf8_lossy(near).into_owned()),
    })
}

/// ``, `res://base.gd` `` if the script that declares the variable is another file of the chain.
fn place_of_base(project: &Project, chain: &Chain<'_>, name: &str) -> String {
    let declares = |script: &&Script| script.variable(name).is_some();
    let base = chain.scripts.iter().map(AsRef::as_ref).find(declares);
    let is_base = |file: &FileId| {
        let script = project.scripts().script(*file);
        script.zip(base).is_some_and(|(script, base)| std::ptr::eq(script, base))
    };
    let file = project.files().find(is_base);
    file.map_or_else(String::new, |file| format!(", `{}`", project.path(file)))
}
