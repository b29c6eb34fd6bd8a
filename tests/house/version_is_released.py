"""The version of the build is the newest section of CHANGELOG.md, which has a date, and that of the
R package."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])


def main():
    project = re.search(r"project\(dpvi VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    sections = re.findall(r"^## \[([^\]]+)\](.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    released = [(name, rest) for name, rest in sections if name != "Unreleased"]
    assert project and released, "no version found"
    newest, rest = released[0]
    assert newest == project[1], f"CMakeLists.txt has {project[1]}, CHANGELOG.md has {newest}"
    assert re.fullmatch(r" - \d{4}-\d{2}-\d{2}", rest), f"section {newest} has no date:{rest}"
    package = re.search(r"^Version: (\S+)$", (ROOT / "r/DESCRIPTION").read_text(), re.MULTILINE)
    assert package and package[1] == newest, f"r/DESCRIPTION has {package and package[1]}"
    print(f"version {newest}{rest}")


main()
