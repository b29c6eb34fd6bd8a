"""The batch check must fail if two files of a batch have a private function of the same name."""
import json
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(sys.argv[1]) / "tools" / "check_batches"


def private(text):
    return "namespace dpvi {\nnamespace {\n\n" + text + "\n}  // namespace\n}  // namespace dpvi\n"


def expect(name, files, code, words):
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "Unity").mkdir()
        batch = place / "Unity" / "unity_0_cxx.cxx"
        batch.write_text("".join(f'#include "{place / file}"\n' for file in files))
        for file, text in files.items():
            (place / file).write_text(text)
        (place / "compile_commands.json").write_text(json.dumps([{"file": str(batch)}]))
        done = subprocess.run([TOOL, folder], capture_output=True, text=True)
    assert done.returncode == code and words in done.stdout, (
        f"{name}: exit {done.returncode}, printed:\n{done.stdout}")


FIRST = "bool contains(const std::vector<int>& all, int one) {\n  return true;\n}\n"
OTHER = "bool contains(std::span<const int> all, int one) {\n  return false;\n}\n"
expect("different names pass", {"a.cpp": private(FIRST), "b.cpp": private("int other() {\n}\n")}, 0,
       "0 violations")
expect("overloads from two files", {"a.cpp": private(FIRST), "b.cpp": private(OTHER)}, 1,
       "contains: a private function of")
expect("a public function is no private one", {"a.cpp": private(FIRST), "b.cpp": OTHER}, 0,
       "0 violations")
print("ok")
