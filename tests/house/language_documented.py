"""Checks that docs/model-language.md lists the functions and distributions of the code's tables.

    language_documented.py ROOT BUILD PRINTER [--write]

PRINTER prints the list. With --write the page is updated instead of compared.
"""
import pathlib
import subprocess
import sys

BEGIN, END = "<!-- begin: print_language -->\n", "<!-- end: print_language -->\n"

page = pathlib.Path(sys.argv[1]) / "docs/model-language.md"
printed = subprocess.run([sys.argv[3]], capture_output=True, text=True, check=True).stdout
before, _, rest = page.read_text().partition(BEGIN)
shown, end, after = rest.partition(END)
assert end, f"{page} lacks the markers around the list"
if "--write" in sys.argv:
    page.write_text(before + BEGIN + printed + END + after)
else:
    assert shown == printed, f"{page} is out of date; bring it up to date by\n  " + " ".join(
        ["python3", *sys.argv, "--write"])
assert printed.count("`") > 200, "the list is nearly empty"
print("the list is the code's own")
