//! The common part of the tests of refactorings.

use std::fs;
use std::path::Path;

use godot_project::Plan;

/// Carries out the plan in `folder`, without a journal.
pub(crate) fn carried_out(folder: &Path, plan: &Plan) {
    let place = |path: &str| folder.join(path.strip_prefix("res://").unwrap());
    for file in &plan.files {
        let path = place(&file.path);
        if let Some(text) = file.text() {
            assert_eq!(fs::read(&path).unwrap(), **text);
        } else {
            assert!(!path.exists(), "{} is there already", file.path);
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, file.new_text()).unwrap();
    }
    for moved in &plan.moves {
        fs::create_dir_all(place(&moved.to).parent().unwrap()).unwrap();
        fs::rename(place(&moved.from), place(&moved.to)).unwrap();
    }
    plan.removals.iter().for_each(|path| fs::remove_file(place(path)).unwrap());
}
