"""docs/design.md names every folder of the project and every room, once each, and nothing else. Its
walk through one fit names at most twelve files, which exist."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
TOP_FOLDERS = ["cli", "python", "tests", "benchmarks", "examples", "experiments", "tools", "docs"]
PRIVATE = ["internal"]  # folders that hold headers of their parent alone


def folders_with_sources():
    """Returns all folders of dpvi/ that hold folders or sources, and the top folders."""
    found = [name for name in TOP_FOLDERS if (ROOT / name).is_dir()]
    for folder in sorted((ROOT / "dpvi").iterdir()):
        if not folder.is_dir():
            continue
        found.append(f"dpvi/{folder.name}")
        rooms = [room for room in sorted(folder.iterdir())
                 if room.is_dir() and room.name not in PRIVATE]
        if not list(folder.glob("*.[ch]pp")):
            found += [f"dpvi/{folder.name}/{room.name}" for room in rooms]
    return found


def named_folders(text):
    return re.findall(r"^\| `([a-z_/]+)` \|", text, re.MULTILINE)


def mistakes_in_walk(text):
    section = text.split("## One fit, file by file", 1)[1].split("\n## ", 1)[0]
    files = re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE)
    wrong = [f"the walk names {name}, which does not exist"
             for name in files if not (ROOT / name).is_file()]
    return wrong + ([] if 8 <= len(files) <= 12 else [f"the walk names {len(files)} files"])


def main():
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    exist, named = folders_with_sources(), named_folders(text)
    wrong = [f"docs/design.md does not name {name}" for name in exist if name not in named]
    wrong += [f"docs/design.md names {name}, which does not exist"
              for name in named if name not in exist]
    wrong += [f"docs/design.md names {name} twice"
              for name in sorted(set(named)) if named.count(name) > 1]
    wrong += mistakes_in_walk(text)
    for line in wrong:
        print(line)
    print(f"{len(exist)} folders and rooms, {len(wrong)} mistakes")
    sys.exit(1 if wrong or len(exist) < 20 else 0)


main()
