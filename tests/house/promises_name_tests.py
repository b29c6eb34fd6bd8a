"""Every test that docs/privacy.md names as an attempt to break a promise exists.

    promises_name_tests.py SOURCE BUILD
"""
import pathlib
import re
import sys


def existing_tests(source):
    names = set()
    for path in (source / "tests").rglob("*_test.cpp"):
        for suite, name in re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", path.read_text(), re.M):
            names.add(f"{suite}.{name}")
    for path in (source / "tests/cli").glob("*_test.py"):
        case = ""
        for line in path.read_text().splitlines():
            if found := re.match(r"class (\w+)\(", line):
                case = found[1]
            elif found := re.match(r"    def (test_\w+)", line):
                names.add(f"Cli.{case}.{found[1]}")
    names |= {path.name for path in (source / "tests/compile_fail").glob("*.cpp")}
    return names


def main():
    source = pathlib.Path(sys.argv[1])
    text = (source / "docs/privacy.md").read_text()
    table = text.split("| promise | the test")[1].split("\n\n")[0]
    known = existing_tests(source)
    count = 0
    for row in table.splitlines()[2:]:
        promise, tests = row.strip("|").split("|")
        named = re.findall(r"`([\w.]+\.\w+)`", tests)
        assert named, f"no test is named for: {promise}"
        for test in named:
            assert test in known, f"{test} does not exist; it is named for: {promise}"
            count += 1
    print(f"{count} tests named by promises exist")
    assert count >= 20


main()
