//! Between the addresses of a client and the paths of a project.

use std::path::{Path, PathBuf};

use ls_types::Uri;

/// The file at an address, if it is one of a file.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().as_str().eq_ignore_ascii_case("file");
    let path = is_file.then(|| uri.to_file_path()).flatten()?;
    path.is_absolute().then(|| path.into_owned())
}

/// The address of a file.
pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    Uri::from_file_path(path)
}

/// The path in the project (`res://…`) of a file below its folder.
pub(crate) fn res_path(root: &Path, path: &Path) -> Option<String> {
    let below = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> =
        below.components().map(|part| part.as_os_str().to_str()).collect();
    Some(format!("res://{}", parts?.join("/")))
}

/// The file that a path in the project means.
pub(crate) fn file_of(root: &Path, path: &str) -> Option<PathBuf> {
    Some(root.join(path.strip_prefix("res://")?))
}

/// The address of a path in the project.
pub(crate) fn uri_in(root: &Path, path: &str) -> Option<Uri> {
    uri_of(&file_of(root, path)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let (drive, of_client) = if cfg!(windows) { ("C:", "/c%3A") } else { ("", "") };
        let root = format!("{drive}/games/my game");
        let root = Path::new(&root);
        let path = root.join("levels/ä #1.tscn");
        let uri = uri_of(&path).unwrap();
        let below = "games/my%20game/levels/%C3%A4%20%231.tscn";
        assert!(uri.as_str().starts_with("file:///") && uri.as_str().ends_with(below), "{uri:?}");
        let as_of_client = format!("file://{of_client}/{below}").parse().unwrap();
        assert_eq!(path_of(&as_of_client).as_deref(), Some(&*path));
        assert_eq!(path_of(&uri).as_deref(), Some(&*path));
        assert_eq!(res_path(root, &path).as_deref(), Some("res://levels/ä #1.tscn"));
        assert_eq!(file_of(root, "res://levels/ä #1.tscn"), Some(path));
        assert_eq!(res_path(root, Path::new("/games/other/a.tscn")), None);
        assert_eq!(path_of(&"untitled:Untitled-1".parse().unwrap()), None);
    }
}
