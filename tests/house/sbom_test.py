#!/usr/bin/env python3
"""Checks the list of packages that the build writes (CycloneDX 1.5).

    sbom_test.py ROOT BUILD

It has the fields that the format requires, every library that the loader resolves for the program
belongs to one of its packages, and versions are those of the installed packages.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

BUILD = pathlib.Path(sys.argv[2])
SKIPPED = 77


def output(*command):
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


def package_of(library):
    """Returns the package that owns a library; some packages list files of /usr/lib under /lib."""
    path = str(pathlib.Path(library).resolve())
    for name in (path, path.removeprefix("/usr")):
        if owner := output("dpkg-query", "--search", name):
            return owner.split(":")[0]
    return None


def main():
    if shutil.which("dpkg-query") is None:
        print("this system has no Debian packages")
        sys.exit(SKIPPED)
    document = json.loads((BUILD / "dpvi.cdx.json").read_text(encoding="utf-8"))
    problems = [f"{key} is {document.get(key)!r}"
                for key, value in {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1}.items()
                if document.get(key) != value]
    listed = {}
    for part in document["components"]:
        if part["type"] != "library" or not re.fullmatch(r"pkg:deb/debian/[^@]+@.+", part["purl"]):
            problems.append(f"{part} is no Debian package")
        listed.setdefault(part["name"], part["version"])
    references = [part["bom-ref"] for part in document["components"]]
    if len(set(references)) != len(references):
        problems.append("two components have the same reference")
    linked = re.findall(r"(/\S+\.so\S*)", output("ldd", str(BUILD / "dpvi")))
    if len(linked) < 5:
        problems.append(f"ldd names only {linked}")
    problems += [f"{library} belongs to {package_of(library)}, which is not listed"
                 for library in linked if package_of(library) not in listed]
    for name, version in listed.items():
        installed = output("dpkg-query", "--show", "--showformat=${Version}\n", name).split("\n")[0]
        if version != installed:
            problems.append(f"{name} is listed as {version}, installed is {installed or 'none'}")
    for name in ("libssl3", "libeigen3-dev"):
        if name not in listed:
            problems.append(f"{name} is not listed")
    print("\n".join(problems) or f"{len(listed)} packages, {len(linked)} linked libraries")
    sys.exit(1 if problems else 0)


main()
