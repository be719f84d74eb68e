"""Runs the program that the package has brought, also where its folder is not on the PATH."""

import os
import pathlib
import subprocess
import sys
import sysconfig


def program():
    """Where pip has put it: into the environment, the user's own folder, or beside the package (`pip install --target`)."""
    name = "gdscene" + (sysconfig.get_config_var("EXE") or "")
    folders = [pathlib.Path(sysconfig.get_path("scripts"))]
    user_scheme = "nt_user" if os.name == "nt" else "posix_user"
    folders.append(pathlib.Path(sysconfig.get_path("scripts", scheme=user_scheme)))
    folders.append(pathlib.Path(__file__).parent.parent / "bin")
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    sys.exit(f"error: there is no {name} in {', '.join(map(str, folders))}; `pip install --force-reinstall gdscene-cli` brings it back")


def main():
    command = [str(program()), *sys.argv[1:]]
    if os.name == "nt":
        # There, a program that is replaced ends at once for whoever started it.
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)


main()
