@tool
extends RefCounted
## The library is replaced by another build of it while the editor runs, several times: the classes and the addon go on.
##
## On Linux the old one stays until the editor is restarted: threads have destructors of it to run, so the system does not
## unload it. (gdext leaves those out in debug builds: `linux_reload_workaround.rs`, 0.5.5.) Which one runs is printed.

const Driver := preload("driver.gd")

const EXTENSION := "res://addons/fast_variant/fast_variant.gdextension"
## scripts/test/editor/addon.sh puts other builds there: `1.so`, `2.so`, ...
const BUILDS := "res://builds"


func run(driver: Driver) -> void:
	use(driver, "before")
	for build: String in DirAccess.get_files_at(BUILDS):
		var library: String = ProjectSettings.globalize_path("res://addons/fast_variant/bin/linux.x86_64/libfast_variant_editor.so")
		DirAccess.rename_absolute(ProjectSettings.globalize_path(BUILDS.path_join(build)), library)
		var status := GDExtensionManager.reload_extension(EXTENSION)
		driver.equal(status, GDExtensionManager.LOAD_STATUS_OK, "reloading %s" % build)
		for frame: int in 5:
			await driver.get_tree().process_frame
		print("%s: %s runs" % [build, "the new library" if _is_in_memory(library) else "the old library"])
		use(driver, "with %s" % build)
		await save(driver)


## Whether the process has the file in memory that is there now, and not one that was there before.
func _is_in_memory(library: String) -> bool:
	var output: Array = []
	OS.execute("cat", ["/proc/%d/maps" % OS.get_process_id()], output)
	var maps: String = output[0]
	return maps.contains(library + "\n")


func use(driver: Driver, when: String) -> void:
	var value := {"a": [1, 2.5, Vector3(1, 2, 3)], "b": "text"}
	var bytes: PackedByteArray = ClassDB.class_call_static(&"FastVariant", &"encode", value)
	driver.equal(bytes, var_to_bytes(value), "encode() %s" % when)
	driver.equal(ClassDB.class_call_static(&"FastVariant", &"decode", bytes), value, "decode() %s" % when)
	var found: Array = ClassDB.class_call_static(&"SceneLinter", &"lint_file", "res://harbour.tscn")
	driver.equal(found.size(), 1, "diagnostics %s" % when)


## The addon's own parts look at what is saved.
func save(driver: Driver) -> void:
	EditorInterface.open_scene_from_path("res://good.tscn")
	for frame: int in 5:
		await driver.get_tree().process_frame
	driver.equal(EditorInterface.save_scene(), OK, "saving")
	for frame: int in 20:
		await driver.get_tree().process_frame
