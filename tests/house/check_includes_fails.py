"""The include check must fail on each kind of violation, and pass without one."""
import pathlib
import sys

from small_trees import SmallTrees

TREES = SmallTrees(pathlib.Path(sys.argv[1]) / "tools" / "check_includes")
expect = TREES.expect
BOX = "struct Box {\n  int side;\n};\n"

expect("clean tree passes",
       {"dpvi/base/a.hpp": "#include <string>\n" + BOX,
        "dpvi/base/a.cpp": "#include <dpvi/base/a.hpp>\n#include <vector>\n",
        "dpvi/base/b.hpp": "#include <dpvi/base/a.hpp>\nstd::string name(Box box);\n",
        "cli/c.hpp": "struct Box;\nvoid c(const Box& box);\n",
        "cli/c.cpp": '#include "c.hpp"\n'}, 0, "0 violations")
expect("own header after another",
       {"dpvi/base/a.hpp": BOX,
        "dpvi/base/a.cpp": "#include <vector>\n#include <dpvi/base/a.hpp>\n"}, 1,
       "dpvi/base/a.cpp: must include dpvi/base/a.hpp first")
expect("own header not included",
       {"cli/c.hpp": "", "cli/c.cpp": "int c() { return 1; }\n"}, 1, "must include cli/c.hpp first")
expect("standard header missing", {"dpvi/base/a.hpp": "std::vector<int> numbers();\n"}, 1,
       "uses std::vector without <vector>")
expect("own type missing", {"dpvi/base/a.hpp": BOX, "dpvi/base/b.hpp": "int volume(Box box);\n"}, 1,
       "dpvi/base/b.hpp: uses Box without <dpvi/base/a.hpp>")
expect("names in comments and strings do not count",
       {"dpvi/base/a.hpp": "// std::vector\nconst char* a = \"std::map\";\n"}, 0, "0 violations")
expect("nothing to check", {}, 1, "")
print("ok")
