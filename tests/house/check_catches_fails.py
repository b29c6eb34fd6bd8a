"""The check of catch blocks must fail on a comparison of error codes, and pass without one."""
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(sys.argv[1]) / "tools" / "check_catches"


def expect(name, text, code, words):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "dpvi" / "base" / "a.cpp"
        path.parent.mkdir(parents=True)
        path.write_text(text)
        done = subprocess.run([TOOL, folder], capture_output=True, text=True)
        assert done.returncode == code and words in done.stdout, f"{name}:\n{done.stdout}"


def catch(body, around="void f() {{ try {{ g(); }} catch (const InputError& error) {{\n{}\n}} }}"):
    return around.format(body)


expect("no catch", "bool f(E e) { return e.code().id == kA.id; }\n", 0, "0 violations")
expect("catch without a comparison", catch("add(error.code());"), 0, "0 violations")
expect("comparison in a comment", catch("// error.code().id == kA.id"), 0, "0 violations")
expect("comparison after the block", catch("throw;") + "\nbool b = e.code().id == kA.id;", 0,
       "0 violations")
expect("unequal", catch("if (error.code().id != kA.id) throw;"), 1, "dpvi/base/a.cpp:1: a catch")
expect("equal, in an inner block", catch("if (x) { if (error.code().id == kA.id) return; }"), 1,
       "1 violations")
expect("other side", catch("if (kA.id == error.code().id) return;"), 1, "1 violations")
expect("whole codes", catch("if (error.code() == kA) return;"), 1, "1 violations")
print("ok")
