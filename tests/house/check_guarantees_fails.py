"""The guarantee check must fail on each kind of violation, and pass without one."""
import pathlib
import sys

from small_trees import SmallTrees

TREES = SmallTrees(pathlib.Path(sys.argv[1]) / "tools" / "check_guarantees")
expect = TREES.expect
PROMISE = ("// Adds numbers.\n//\n// Guarantee: the sum of two numbers does not depend on\n"
           "// their order. It may overflow.\nint add(int a, int b);\n")
TEST = ("// Guarantee: the sum of two numbers does not depend on their order; tried on a few.\n"
        "TEST(Add, DoesNotDependOnOrder) {\n  EXPECT_EQ(add(1, 2), add(2, 1));\n}\n")


def with_test(text):
    return {"dpvi/base/add.hpp": PROMISE, "tests/base/add_test.cpp": text}


expect("tested promise passes", with_test(TEST), 0, "1 promises, 0 violations")
expect("a remark between promise and test passes",
       with_test(TEST.replace("\nTEST", "\n// Two more lines.\n// They explain.\nTEST")), 0, "0 viol")
expect("a promise inside a test passes",
       with_test("TEST_F(Add, Works) {\n  int a = 1;\n"
                 "  // Guarantee: the sum of two numbers does not depend on order.\n  add(a, 2);\n}\n"),
       0, "0 violations")
expect("a program that must not compile is a test",
       {"dpvi/base/add.hpp": PROMISE,
        "tests/compile_fail/add.cpp": "// refused: private\n" + TEST.splitlines()[0] + "\nint x;\n"},
       0, "0 violations")
expect("short sentences count whole",
       {"dpvi/base/a.hpp": "// Guarantee: never throws. See below.\n",
        "tests/a_test.cpp": "// Guarantee: never throws. Tried on a few.\nTEST(A, B) {\n}\n"},
       0, "0 violations")
expect("promise without a test", with_test("TEST(Add, Works) {\n}\n"), 1,
       "dpvi/base/add.hpp:3: no test says 'Guarantee: the sum of two numbers does not depend'")
expect("other words", with_test(TEST.replace("two", "some")), 1, "dpvi/base/add.hpp:3: no test says")
expect("test of a promise that does not exist", with_test(TEST + TEST.replace("sum", "product")), 1,
       "tests/base/add_test.cpp:5: no file of dpvi/ promises 'the product of two numbers")
expect("promise above a helper",
       with_test(TEST + "\n" + TEST.splitlines()[0] + "\nvoid help() {}\n"), 1,
       "tests/base/add_test.cpp:6: 'Guarantee: the sum of two numbers does not depend' is neither")
expect("promise after a test", with_test(TEST + "}\n" + TEST.splitlines()[0] + "\n"), 1, "neither")
expect("two promises with the same first words",
       {**with_test(TEST), "dpvi/base/plus.hpp": PROMISE}, 1,
       "dpvi/base/plus.hpp:3: starts like the promise at dpvi/base/add.hpp:3")
expect("nothing to check", {}, 1, "")
print("ok")
