"""tools/bench_check must fail if a job takes over 5 % more instructions than stored, and pass
otherwise. A stand-in for valgrind says how many there were."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(sys.argv[1]) / "tools" / "bench_check"
JOBS = json.loads((TOOL.parent.parent / "benchmarks" / "instructions.json").read_text())
assert len(JOBS) == 6 and all(count > 1e7 for count in JOBS.values()), JOBS


def write_program(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    write_program(folder / "dpvi", "exit 0\n")
    write_program(folder / "valgrind",
                  "[ \"$COUNT\" = none ] && { echo broken >&2; exit 3; }\n"
                  "echo \"==1== Collected : $COUNT\" >&2\n")
    store = folder / "store.json"

    def check(count, *flags):
        done = subprocess.run(
            [TOOL, *flags, "--store", store, folder], capture_output=True, text=True,
            env={**os.environ, "COUNT": str(count), "PATH": f"{name}:{os.environ['PATH']}"})
        return done.returncode, done.stdout + done.stderr

    assert check(1000000)[0] == 1, "nothing is stored"
    assert check(1000000, "--update")[0] == 0
    assert json.loads(store.read_text()) == {job: 1000000 for job in JOBS}
    assert check(1040000)[0] == 0, "4 % more"
    status, output = check(1060000)
    assert status == 1 and output.count("over 5% more") == 6, output
    status, output = check(1060000, "--job", "plan")
    assert status == 1 and output.count("over 5% more") == 1, output
    status, output = check(900000)
    assert status == 0 and "over 5% fewer" in output, output
    status, output = check("none")
    assert status == 1 and "broken" in output, output
    status, _ = check(2000000, "--job", "plan", "--update")
    kept = json.loads(store.read_text())
    assert kept["plan"] == 2000000 and kept["synth"] == 1000000, kept
print("ok")
