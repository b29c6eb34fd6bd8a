"""Searches the memory of a running fit for its key, as whoever gets a core dump could."""
import os
import re
import resource
import signal
import subprocess
import time

from fit_example import FitCase
from program import PROGRAM

KEY = bytes((0xa7 * i + 0x31) % 256 for i in range(32))  # as fixed_entropy.cpp gives it


def multiplied(a, b):
    """Returns the product in GF(2^8), as AES defines it."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = (a << 1) ^ (0x11b if a & 0x80 else 0)
        b >>= 1
    return product


def substitution():
    """Returns AES's S-box, computed from its definition."""
    box = []
    for value in range(256):
        inverse = next((x for x in range(256) if multiplied(value, x) == 1), 0)
        turned = [(inverse << k | inverse >> (8 - k)) & 255 for k in range(5)]
        box.append(turned[0] ^ turned[1] ^ turned[2] ^ turned[3] ^ turned[4] ^ 0x63)
    return box


def round_keys(key):
    """Returns the 15 round keys of AES-256 (FIPS 197); the first two are the key."""
    box, words, constant = substitution(), [key[i:i + 4] for i in range(0, 32, 4)], 1
    for i in range(8, 60):
        word = words[-1]
        if i % 8 == 0:
            word = bytes(box[byte] for byte in word[1:] + word[:1])
            word = bytes([word[0] ^ constant]) + word[1:]
            constant = multiplied(constant, 2)
        elif i % 8 == 4:
            word = bytes(box[byte] for byte in word)
        words.append(bytes(a ^ b for a, b in zip(words[-8], word)))
    return [b"".join(words[i:i + 4]) for i in range(0, 60, 4)]


def mappings(pid):
    """Yields the bytes of each mapping, and whether the kernel leaves it out of dumps."""
    with open(f"/proc/{pid}/smaps", encoding="ascii", errors="replace") as lines, \
            open(f"/proc/{pid}/mem", "rb") as memory:
        for line in lines:
            if found := re.match(r"([0-9a-f]+)-([0-9a-f]+) r", line):
                first, last = (int(end, 16) for end in found.groups())
            elif re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
                first = None
            elif line.startswith("VmFlags:") and first is not None:
                try:
                    memory.seek(first)
                    yield memory.read(last - first), " dd" in line
                except (OSError, ValueError, OverflowError):
                    pass  # pages of the kernel, which no dump contains


class KeyDumpCase(FitCase):
    rows = 400

    def start(self, **variables):
        entropy = os.environ["DPVI_FIXED_ENTROPY"]
        process = subprocess.Popen(
            [PROGRAM, "fit", "m.stan", "d.csv", "--out", "b", "--epsilon", "1", "--steps", "100000"],
            cwd=self.at, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, LD_PRELOAD=entropy, **variables))
        self.addCleanup(process.wait)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        for line in process.stderr:
            if line.startswith("step "):
                return process
        self.fail("the fit took no step")

    def test_no_dump_of_a_running_fit_holds_the_key_or_its_schedule(self):
        parts = round_keys(KEY)
        # FIPS 197, appendix A.3, checks the schedule's own computation.
        example = round_keys(bytes.fromhex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a3"
                                           "0914dff4"))
        self.assertEqual(example[14].hex(), "fe4890d1e6188d0b046df344706c631e")
        process = self.start(DPVI_CORE_DUMPS="1")
        dumped, hidden = set(), set()
        for _ in range(5):
            process.send_signal(signal.SIGSTOP)
            for content, left_out in mappings(process.pid):
                (hidden if left_out else dumped).update(
                    number for number, part in enumerate(parts) if part in content)
            process.send_signal(signal.SIGCONT)
            time.sleep(0.05)
        # The search works: it finds the whole schedule where the program keeps it.
        self.assertEqual(hidden, set(range(15)))
        self.assertEqual(dumped, set())

    def test_a_fit_leaves_no_core_dump_unless_asked(self):
        process = self.start()
        self.assertEqual(resource.prlimit(process.pid, resource.RLIMIT_CORE), (0, 0))
        wanted = self.start(DPVI_CORE_DUMPS="1")
        self.assertEqual(resource.prlimit(wanted.pid, resource.RLIMIT_CORE),
                         resource.getrlimit(resource.RLIMIT_CORE))
