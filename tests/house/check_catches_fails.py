"""The check of catch blocks must fail on a comparison of error codes, and pass without one."""
import pathlib
import sys

from small_trees import SmallTrees

TREES = SmallTrees(pathlib.Path(sys.argv[1]) / "tools" / "check_catches")


def expect(name, text, code, words):
    TREES.expect(name, {"dpvi/base/a.cpp": text}, code, words)


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
