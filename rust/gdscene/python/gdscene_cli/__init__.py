"""The program `gdscene`, as a package of Python's: `python -m gdscene_cli` runs it."""
