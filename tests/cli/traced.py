"""Runs the program under strace, which lists its system calls or makes one of them fail."""
import pathlib
import re
import shutil
import subprocess
import tempfile

from program import PROGRAM

# The first call of main(). Earlier ones belong to the loader.
MAIN = 'openat(AT_FDCWD, "/dev/null", O_RDONLY)'
CALL = re.compile(r"^(\d+) +(\w+)\(")


def can_trace():
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], check=False,
                          stderr=subprocess.DEVNULL).returncode == 0


class Trace:
    """A finished run of the program: exit code, outputs and the list of its system calls."""

    def __init__(self, arguments, calls, inject=None, **options):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            command = ["strace", "-f", "-qq", "-o", log, "-e", "signal=none",
                       "-e", "trace=" + ",".join(calls)]
            if not inject or "signal=" not in inject:
                command.append("--seccomp-bpf")  # faster, but delivers no signals
            if inject:
                command += ["-e", "inject=" + inject]
            self.done = subprocess.run(command + [PROGRAM, *map(str, arguments)], check=False,
                                       capture_output=True, timeout=45, **options)
            self.lines = log.read_text(errors="replace").splitlines()
        self.injected = any("(INJECTED)" in line for line in self.lines)
        self.message = self.done.stderr.decode(errors="replace")

    @property
    def exit_code(self):
        return self.done.returncode

    def own_lines(self):
        """The calls of all threads since main() began."""
        started = next(i for i, line in enumerate(self.lines) if MAIN in line)
        return self.lines[started:]

    def numbers(self, wanted=lambda line: True):
        """For each system call, the numbers of the main thread's calls since main() began whose line
        is wanted.

        strace counts the calls of a name from 1 on, for each thread."""
        seen, numbers = {}, {}
        main_thread = CALL.match(self.lines[0])[1]
        in_main = False
        for line in self.lines:
            match = CALL.match(line)
            if not match or match[1] != main_thread:
                continue
            name = match[2]
            seen[name] = seen.get(name, 0) + 1
            in_main = in_main or MAIN in line
            if in_main and wanted(line):
                numbers.setdefault(name, []).append(seen[name])
        return numbers
