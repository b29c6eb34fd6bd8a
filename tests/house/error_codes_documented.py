"""docs/errors.md and the headers of dpvi/ must list the same codes, each once with equal titles."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
source = "\n".join(path.read_text() for path in sorted((root / "dpvi").rglob("*.hpp")))
docs = (root / "docs/errors.md").read_text()

defined = re.findall(r'ErrorCode k\w+\{\s*"(DP\d+)",\s*ErrorKind::(\w+),\s*"([^"]+)"\}', source)
documented = re.findall(r"^\| `(DP\d+)` \| (\w+) \| ([^|]+?) \|", docs, re.MULTILINE)

assert defined, "no error codes found in the source"
ids = [code for code, _, _ in defined]
assert len(ids) == len(set(ids)), "a code is defined twice"
missing = sorted(set(defined) - set(documented))
extra = sorted(set(documented) - set(defined))
assert not missing, f"not in docs/errors.md: {missing}"
assert not extra, f"in docs/errors.md but not in the source: {extra}"

used = "\n".join(path.read_text() for folder in ("dpvi", "cli")
                 for path in (root / folder).rglob("*.[ch]pp"))
for name in re.findall(r"ErrorCode (k\w+)\{", source):
    assert len(re.findall(rf"\b{name}\b", used)) > 1, f"{name} is never used"
print(f"{len(ids)} codes")
