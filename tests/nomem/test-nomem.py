#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A command line that there is no memory to read is an error.

usage: test-nomem.py FAIL-MALLOC PMUD PMUCTL

Each program runs with a wrong command line and with malloc() failing once, at
its first call, at the second, and so on: it says so and fails every time. One
that ignored its command line would serve, or answer something else.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

FAIL_MALLOC, PMUD, PMUCTL = map(os.path.abspath, sys.argv[1:4])
CALLS = 40			# more than argp and the options ask for

ROWS = [
    ("pmud: an unknown option", [PMUD, "--no-such-option"]),
    ("pmud: a place that is not there",
     [PMUD, "--state-dir", "/nowhere/at/all"]),
    ("pmuctl: an unknown option", [PMUCTL, "--no-such-option", "list"]),
    ("pmuctl: an unknown option of a command",
     [PMUCTL, "list", "--no-such-option"]),
    ("pmuctl: one argument too many",
     [PMUCTL, "list", "settings", "and", "more"]),
]


def run(command, fail_at, folder):
    # the linker takes no name with a space in it
    env = {"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": folder,
           "LD_PRELOAD": folder + "/fail-malloc.so",
           "FAIL_MALLOC": str(fail_at)}
    return subprocess.run(command, env=env, capture_output=True, text=True,
                          timeout=60, check=False)


def wrong(command, folder):
    """Yield what is wrong with the runs, and whether memory ever ran out."""
    ran_out = False
    for fail_at in range(CALLS):
        try:
            done = run(command, fail_at, folder)
        except subprocess.TimeoutExpired:
            yield f"call {fail_at}: it went on without its command line"
            return
        ran_out |= "emory" in done.stderr
        if done.returncode not in (1, 2):
            yield f"call {fail_at}: it ended with {done.returncode}"
        # argp's own words for a mistake need memory, too
        if done.returncode == 1 and not done.stderr:
            yield f"call {fail_at}: not a word"
        if done.stdout:
            yield f"call {fail_at}: it answered {done.stdout!r}"
    if not ran_out:
        yield "memory never ran out: the test shows nothing"


def main():
    results = asserted.Results()
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(FAIL_MALLOC, folder + "/fail-malloc.so")
        for name, command in ROWS:
            found = list(wrong(command, folder))
            results.add(not found, name, found)
    return results.done()


if __name__ == "__main__":
    sys.exit(main())
