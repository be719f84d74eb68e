@tool
extends RefCounted
## A newer release of the addon is unpacked over it while the editor runs, by a program that writes into the files that are there.
## The editor then does what it does when its window is in front again.

const Driver := preload("driver.gd")
const HotReload := preload("hot_reload.gd")

const ARCHIVE := "res://release.zip"


func run(driver: Driver) -> void:
	var uses := HotReload.new()
	uses.use(driver, "before")
	await uses.save(driver)
	var project := ProjectSettings.globalize_path("res://")
	var output: Array = []
	# Python truncates and writes.
	driver.equal(OS.execute("python3", ["-m", "zipfile", "-e", project.path_join("release.zip"), project], output, true), 0,
		"unpacking %s" % [output])
	driver.check(FileAccess.get_file_as_string("res://addons/fast_variant/plugin.gd").contains("# newer"), "it is unpacked")
	uses.use(driver, "with the new files")
	EditorInterface.get_resource_filesystem().scan()
	for frame: int in 200:
		await driver.get_tree().process_frame
	var status := GDExtensionManager.reload_extension(HotReload.EXTENSION)
	driver.equal(status, GDExtensionManager.LOAD_STATUS_OK, "reloading")
	for frame: int in 20:
		await driver.get_tree().process_frame
	uses.use(driver, "after a reload")
	await uses.save(driver)
