@tool
extends RefCounted
## Lets the editor know of files that moved or went, as its FileSystem dock does after its own moves and removals.

const _SceneFiles := preload("../shared/scene_files.gd")


## The new path of each file among these, of the ones that the editor knows: below a folder that moves, one by one.
static func files_of(moves: Dictionary[String, String]) -> Dictionary[String, String]:
	var files: Dictionary[String, String] = {}
	for old: String in moves:
		var folder := EditorInterface.get_resource_filesystem().get_filesystem_path(old + "/")
		if folder != null:
			_add(folder, old, moves[old], files)
		else:
			files[old] = moves[old]
	return files


## To be called when the files are at their new places.
static func follow(files: Dictionary[String, String], folders: Dictionary[String, String]) -> void:
	var dock := EditorInterface.get_file_system_dock()
	for old: String in files:
		var new := files[old]
		var root := _SceneFiles.root_of(old)
		if root != null:
			root.scene_file_path = new
		if ResourceLoader.has_cached(old):
			ResourceLoader.get_cached_ref(old).take_over_path(new)
		# The script editor and others listen.
		dock.files_moved.emit(old, new)
	for old: String in folders:
		if not files.has(old):
			dock.folder_moved.emit(old + "/", folders[old])


## Makes the editor's objects of these missing files forget their paths, so that they cannot be saved there by mistake
## (`DependencyRemoveDialog::ok_pressed`, editor/file_system/dependency_editor.cpp, Godot 4.6.3).
static func let_go(files: PackedStringArray) -> void:
	var dock := EditorInterface.get_file_system_dock()
	for path: String in files:
		if ResourceLoader.has_cached(path):
			var held := ResourceLoader.get_cached_ref(path)
			dock.resource_removed.emit(held)
			held.resource_path = ""
		dock.file_removed.emit(path)


static func _add(
	folder: EditorFileSystemDirectory, old: String, new: String, files: Dictionary[String, String]
) -> void:
	for index: int in folder.get_file_count():
		var path := folder.get_file_path(index)
		files[path] = new + path.substr(old.length())
	for index: int in folder.get_subdir_count():
		_add(folder.get_subdir(index), old, new, files)
