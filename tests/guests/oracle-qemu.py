#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The bare guests on QEMU: what they expect of a hart holds elsewhere too.

Counts are not compared, QEMU does not claim any; guests that need exact
overflow, our HTIF or our end of a run are left out, and that of reservations,
which QEMU has by address and value. Arguments: ELF files
NAME-ISA.elf. Without QEMU everything fails.
"""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

LATE = 40  # seconds that one run may take; each takes a fraction of one
TRIES = 3  # QEMU itself hangs now and then
EXIT = {"fail": 42}
HARTS = {"float": 2, "plic-harts": 4, "sleeper": 3, "smp": 4}
LEFT_OUT = ("counters", "csr-", "deadlock", "echo", "htif", "hyp-counts", "hyp-mprv",
            "events", "fetches", "hyp-overflow", "hyp-paging", "idle", "inorder", "misses", "models", "nap",
            "nested", "nowhere", "overflow-", "own-fetch", "plic-sbi", "reservations", "sbi", "spin", "sse",
            "susp", "ticks",
            "timer-wrap")  # its STIP stays when time wraps below stimecmp


def ended_with(command):
    """Return QEMU's exit status, None where it never ends."""
    for _ in range(TRIES):
        try:
            return subprocess.run(command, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=LATE,
                                  check=False).returncode
        except subprocess.TimeoutExpired:
            pass
    return None


def run(qemu, name, path):
    """Return what is wrong, or nothing."""
    harts = HARTS.get(name, 1)
    command = [qemu, "-M", "virt", "-bios", "none", "-smp", str(harts),
               "-display", "none", "-monitor", "none", "-serial", "null",
               "-kernel", path]
    if harts == 1:
        command += ["-icount", "shift=0"]
    code = ended_with(command)
    want = EXIT.get(name, 0)
    if code is None:
        return "does not end"
    return "" if code == want else f"ends with {code}, not {want}"


def main():
    results = asserted.Results()
    paths = [p for p in map(pathlib.Path, sys.argv[1:])
             if not p.name.startswith(LEFT_OUT)]
    for path in paths:
        name, isa = path.stem.rsplit("-", 1)
        qemu = shutil.which("qemu-system-riscv" + isa[2:])
        wrong = run(qemu, name, path) if qemu else "without QEMU"
        results.add(not wrong, f"{name} {isa} {wrong}")
    return results.done()


if __name__ == "__main__":
    sys.exit(main())
