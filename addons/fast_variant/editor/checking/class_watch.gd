@tool
extends Node
## Keeps the linter's list of the editor's classes current, including those of extensions: when the addon is enabled, and when an
## extension comes, goes or is loaded again.

## Emitted when all classes are known, unless they were all along.
signal changed

const _Native := preload("../shared/native.gd")

## Signals of GDExtensionManager.
const _SIGNALS: Array[StringName] = [&"extension_loaded", &"extension_unloading", &"extensions_reloaded"]


func _ready() -> void:
	for each: StringName in _SIGNALS:
		if GDExtensionManager.has_signal(each):
			# Deferred: an extension that is unloading still has its classes.
			GDExtensionManager.connect(each, _on_extensions_changed, CONNECT_DEFERRED)
	set_process(not _Native.read_classes())


## A few milliseconds in each frame, until all are read.
func _process(_delta: float) -> void:
	if _Native.is_available() and _Native.read_classes():
		set_process(false)
		changed.emit()


func _on_extensions_changed(_extension: GDExtension = null) -> void:
	# It may have been our own.
	if _Native.is_available():
		_Native.forget_classes()
		set_process(true)
