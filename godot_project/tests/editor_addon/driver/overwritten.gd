@tool
extends RefCounted
## The library's file is written over while the editor runs, as programs do that do not make a new file: it is empty for a while,
## then it is the new one. The addon goes on with what it has in memory.

const Driver := preload("driver.gd")
const HotReload := preload("hot_reload.gd")

const LIBRARY := "res://addons/fast_variant/bin/linux.x86_64/libfast_variant_editor.so"


func run(driver: Driver) -> void:
	var uses := HotReload.new()
	uses.use(driver, "before")
	var library := ProjectSettings.globalize_path(LIBRARY)
	driver.equal(OS.execute("truncate", ["-s", "0", library]), 0, "truncating")
	uses.use(driver, "with an empty file")
	await uses.save(driver)
	var builds := ProjectSettings.globalize_path(HotReload.BUILDS)
	for build: String in DirAccess.get_files_at(HotReload.BUILDS):
		driver.equal(OS.execute("cp", [builds.path_join(build), library]), 0, "copying")
		var status := GDExtensionManager.reload_extension(HotReload.EXTENSION)
		driver.equal(status, GDExtensionManager.LOAD_STATUS_OK, "reloading %s" % build)
		for frame: int in 5:
			await driver.get_tree().process_frame
		uses.use(driver, "with %s" % build)
		await uses.save(driver)
