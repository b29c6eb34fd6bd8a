"""The layer check must fail on each kind of violation, and pass without one."""
import pathlib
import sys

from small_trees import SmallTrees

TREES = SmallTrees(pathlib.Path(sys.argv[1]) / "tools" / "check_layers")


def expect(name, files, code, words):
    """`files` maps each file of dpvi/ to the files that it includes."""
    texts = {f"dpvi/{path}": "".join(f"#include <dpvi/{target}>\n" for target in included)
             for path, included in files.items()}
    TREES.expect(name, texts, code, words)


expect("clean tree passes", {"random/a.hpp": ["base/b.hpp"], "base/b.hpp": []}, 0, "0 violations")
expect("direct violation", {"privacy/a.hpp": ["data/t.hpp"], "data/t.hpp": []}, 1,
       "privacy may not include dpvi/data/t.hpp")
expect("violation at second hand",
       {"report/r.cpp": ["fit/train/r.hpp"], "fit/train/r.hpp": ["data/t.hpp"], "data/t.hpp": []}, 1,
       "report must never see dpvi/data/t.hpp")
expect("unknown folder", {"misc/a.hpp": []}, 1, "'misc' is not in the table")
expect("cycle", {"base/a.hpp": ["random/b.hpp"], "random/b.hpp": ["base/a.hpp"]}, 1, "cycle")
expect("rooms in order pass", {"tape/graph/a.hpp": ["tape/math/b.hpp"], "tape/math/b.hpp": []}, 0,
       "0 violations")
expect("room above", {"tape/math/a.hpp": ["tape/graph/b.hpp"], "tape/graph/b.hpp": []}, 1,
       "room math of tape may not include dpvi/tape/graph/b.hpp")
expect("room cycle", {"tape/math/a.hpp": ["tape/graph/b.hpp"], "tape/graph/b.hpp": ["tape/math/c.hpp"],
                      "tape/math/c.hpp": []}, 1, "dpvi/tape/math: is part of an include cycle")
expect("file outside all rooms", {"stan/a.hpp": []}, 1, "dpvi/stan/a.hpp: is in no room")
expect("unknown room", {"stan/attic/a.hpp": []}, 1, "dpvi/stan/attic/a.hpp: is in no room")
expect("sampler sees a prior",
       {"sample/a.cpp": ["tape/lanes/uniform_function.hpp"],
        "tape/lanes/uniform_function.hpp": ["tape/graph/g.hpp"], "tape/graph/g.hpp": []}, 0,
       "0 violations")
expect("sampler sees records", {"sample/a.cpp": ["data/t.hpp"], "data/t.hpp": []}, 1,
       "sample may not include dpvi/data/t.hpp")
expect("sampler sees a tape of records",
       {"sample/a.cpp": ["tape/lanes/record_tape.hpp"], "tape/lanes/record_tape.hpp": []}, 1,
       "sample must never see dpvi/tape/lanes/record_tape.hpp")
expect("sampler sees a tape of records at second hand",
       {"sample/a.cpp": ["tape/lanes/uniform_function.hpp"],
        "tape/lanes/uniform_function.hpp": ["tape/lanes/record_tape.hpp"],
        "tape/lanes/record_tape.hpp": []}, 1,
       "sample must never see dpvi/tape/lanes/record_tape.hpp")
expect("nothing to check", {}, 1, "")
print("ok")
