#!/usr/bin/env python3
"""Checks with readelf that the program was built hardened.

    hardening_test.py ROOT BUILD

Position-independent; relocations resolved and read-only before main(); no executable stack; stack
canaries; checked C library calls; jump targets marked for the processor (x86). The marks are looked
for in the library's objects: Debian's start-up code has none, so no program there is marked. The
program imports no function that reaches a network or starts another program.
"""
import platform
import re
import subprocess
import sys

PROGRAM = f"{sys.argv[2]}/dpvi"
OUTSIDE = r"\bUND (socket|socketpair|connect|bind|listen|accept4?|send(to|msg)?|recv(from|msg)?|" \
          r"getaddrinfo|gethostby\w+|system|popen|fork|vfork|posix_spawnp?|exec\w+)\b"


def readelf(*flags, file=PROGRAM):
    return subprocess.run(["readelf", "--wide", *flags, file], check=True, capture_output=True,
                          text=True).stdout


def every_object_is_marked():
    library = f"{sys.argv[2]}/library/libdpvi.a"
    objects = subprocess.run(["ar", "t", library], check=True, capture_output=True, text=True)
    marks = readelf("--notes", file=library).count("x86 feature: IBT, SHSTK")
    return marks == len(objects.stdout.split())


def main():
    header, segments = readelf("--file-header"), readelf("--program-headers")
    dynamic, symbols = readelf("--dynamic"), readelf("--dyn-syms")
    stack = next(line for line in segments.splitlines() if "GNU_STACK" in line)
    checks = {
        "position-independent": re.search(r"Type:\s+DYN", header) and "PIE" in dynamic,
        "relocations read-only": "GNU_RELRO" in segments,
        "symbols bound at start": re.search(r"FLAGS_1\).*NOW", dynamic),
        "stack not executable": re.search(r" RW\s", stack),
        "stack canaries": "__stack_chk_fail" in symbols,
        "checked library calls": re.search(r"__(memcpy|memset|memmove|read)_chk", symbols),
        "no text relocations": "TEXTREL" not in dynamic,
        "no network and no other program": not re.search(OUTSIDE, symbols) and "UND open" in symbols,
    }
    if platform.machine() == "x86_64":
        checks["indirect branch targets and shadow stack"] = every_object_is_marked()
    for name, holds in checks.items():
        print(f"{'ok' if holds else 'MISSING'}: {name}")
    sys.exit(0 if all(checks.values()) else 1)


main()
