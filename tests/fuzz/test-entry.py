#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""The fuzzers as they are started by hand: test-entry.py FUZZ_RPC RPC_FILES.

The entry point runs without Check's runner, and scripts/fuzz knows every
program that takes seeds. Prints TAP.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

FUZZ_RPC, RPC_FILES = sys.argv[1:3]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests"))
import asserted  # noqa: E402 - found by the line above


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, check=False,
                          timeout=120)


def test_recorded_sessions_reach_handlers_without_a_runner():
    with tempfile.TemporaryDirectory() as work:
        done = run(FUZZ_RPC, work)
        assert done.returncode == 0, done
        files = sorted(glob.glob(work + "/*"))
        assert len(files) >= 10, files
        done = run(RPC_FILES, *files)
        assert done.returncode == 0, done
        calls = re.fullmatch(rf"{len(files)} files, (\d+) calls\n", done.stdout)
        assert calls and int(calls[1]) >= 14, done


def test_what_is_no_session_is_taken_too():
    done = run(RPC_FILES, RPC_FILES, os.path.abspath(__file__))
    assert done.returncode == 0, done
    assert done.stdout == "2 files, 0 calls\n", done


def programs_with_seeds():
    """The names of the test programs that take PMU_FUZZ_FIRST, by themselves or
    where they hand out hostile bytes."""
    found = set()
    for folder in ("tests/fuzz", "tests/unit"):
        for name in glob.glob(f"{TOP}/{folder}/**/*.c", recursive=True):
            with open(name, encoding="utf-8") as source:
                text = source.read()
                if re.search(r"fuzz_first\(\)|hostile_bytes\(", text) and \
                        re.search(r"^SUITE\(|^int main\(", text, re.M):
                    found.add(os.path.basename(name)[:-2])
    return found


def test_every_program_with_seeds_is_hunted_with():
    usage = run("bash", TOP + "/scripts/fuzz", "--help").stdout
    listed = set(re.search(r"of: (.*) \(all\)", usage)[1].split())
    assert listed == programs_with_seeds(), listed ^ programs_with_seeds()
    assert "fuzz-rpc" in listed and "fuzz-images" in listed, listed


def main():
    tests = [t for n, t in globals().items() if n.startswith("test_")]
    bad = 0
    print(f"1..{len(tests)}")
    for number, test in enumerate(tests, 1):
        try:
            with asserted.demanded():
                test()
            print(f"ok {number} - {test.__name__}")
        except AssertionError as error:
            bad += 1
            print(f"not ok {number} - {test.__name__}\n# {error!r}")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
