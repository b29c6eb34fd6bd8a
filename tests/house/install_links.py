"""Installs the library into an empty prefix, and builds the program of docs/library.md with it.

That program is examples/cpp_fit/fit.cpp. It includes only <dpvi/dpvi.hpp> and must be in the
document word for word.
"""
import pathlib
import subprocess
import sys
import tempfile

root, build = map(pathlib.Path, sys.argv[1:3])


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


program = (root / "examples/cpp_fit/fit.cpp").read_text()
assert f"```cpp\n{program}```" in (root / "docs/library.md").read_text(), "docs/library.md differs"
assert [line for line in program.splitlines() if "<dpvi/" in line] == ["#include <dpvi/dpvi.hpp>"]

with tempfile.TemporaryDirectory() as folder:
    prefix, outside = pathlib.Path(folder) / "prefix", pathlib.Path(folder) / "outside"
    run("cmake", "--install", build, "--prefix", prefix)
    headers = sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*.hpp"))
    assert headers, "no headers installed"
    private = [name for name in headers if "test" in name or "internal" in name]
    assert not private, f"headers that are not for the outside: {private}"
    for name in ("man/man1/dpvi.1", "bash-completion/completions/dpvi", "zsh/site-functions/_dpvi"):
        assert (prefix / "share" / name).is_file(), f"share/{name} is not installed"
    run("cmake", "-G", "Ninja", "-S", root / "tests/install", "-B", outside,
        f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", outside)
    example, records = root / "examples/icu", pathlib.Path(folder) / "records.csv"
    run(prefix / "bin/dpvi", "mock", example / "model.stan", "--schema", example / "schema.toml",
        "--rows", 500, "--out", records, "--quiet")
    print(run(outside / "outside", example / "model.stan", example / "schema.toml", records,
              pathlib.Path(folder) / "result"), end="")
    run(prefix / "bin/dpvi", "summary", pathlib.Path(folder) / "result")
    assert run(prefix / "bin/dpvi", "--version").startswith("dpvi ")
    # The installed program finds the installed descriptions; figure 5 needs no external data.
    run(prefix / "bin/dpvi", "reproduce", "fig5", "--quick", "--runs", 1, "--data", folder,
        "--out", pathlib.Path(folder) / "figures", "--quiet")
    assert (pathlib.Path(folder) / "figures/index.html").is_file()
