"""Checks that tools/run_tests and tools/stages count every test: none is missing, a skip is listed,
and a test whose program is missing counts as failed."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
TESTS = """add_test(good true)
add_test(bad false)
add_test(gone /nonexistent/program)
add_test(skipped sh -c "echo for a reason; exit 77")
set_tests_properties(skipped PROPERTIES SKIP_RETURN_CODE 77)
"""


def run(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout


with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "CTestTestfile.cmake").write_text(TESTS)
    status, output = run("tools/run_tests", folder)
    assert status == 1 and output.endswith("1 passed, 2 failed, 1 skipped\n"), output
    assert "skipped: skipped: for a reason" in output, output
    status, output = run("tools/run_tests", folder, "-R", "good")
    assert status == 0 and output.endswith("1 passed, 0 failed, 0 skipped\n"), output
    status, output = run("tools/run_tests", folder, "-R", "no such test")
    assert status == 1, output

    def stages(script):
        return run("bash", "-uo", "pipefail", "-c", f". tools/stages\n{script}\nclose")

    status, output = stages(f"tests tools/run_tests {folder} -R 'good|skipped'\ncheck one true")
    assert status == 0 and output.endswith("2 passed, 0 failed, 1 skipped\n"), output
    status, output = stages(f"tests tools/run_tests {folder}\ncheck one true\ncheck two false\n"
                            "check three sh -c 'exit 77'")
    assert status == 1 and output.endswith("2 passed, 3 failed, 2 skipped\n"), output
    status, output = stages("tests echo no counts\ncheck one true")
    assert status == 1 and output.endswith("1 passed, 1 failed, 0 skipped\n"), output
print("ok")
