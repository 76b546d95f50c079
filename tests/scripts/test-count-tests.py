#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scripts/count-tests.py counts every result once, and no failure as passed."""
import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(sys.argv[1]) / "scripts/count-tests.py"

# why, meson's result, what the test wrote, the wanted passed and failed
ROWS = [
    ("a test without TAP is one", "OK", "hello\n", (1, 0)),
    ("a test without TAP that fails is one", "FAIL", "", (0, 1)),
    ("each result of TAP counts", "OK", "1..2\nok 1 - a\nok 2 - b\n", (2, 0)),
    ("a bad result counts", "FAIL", "1..2\nok 1 - a\nnot ok 2 - b\n", (1, 1)),
    ("a result that never came is bad", "ERROR", "1..3\nok 1 - a\n", (1, 2)),
    ("a plan at the end will do", "OK", "ok 1 - a\nok 2 - b\n1..2\n", (2, 0)),
    ("a bad end with good results is bad", "ERROR", "1..1\nok 1 - a\n",
     (1, 1)),
    ("a timeout is bad", "TIMEOUT", "1..1\nok 1 - a\n", (1, 1)),
    ("a skipped result is neither", "OK", "1..2\nok 1 - a\nok 2 # SKIP x\n",
     (1, 0)),
    ("a skipped test is neither", "SKIP", "1..0 # SKIP x\n", (0, 0)),
    ("an expected failure is good", "EXPECTEDFAIL", "", (1, 0)),
    ("an unexpected pass is bad", "UNEXPECTEDPASS", "", (0, 1)),
]


def count(result, output):
    entry = {"name": "t", "result": result, "stdout": output}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as log:
        log.write(json.dumps(entry) + "\n")
        log.flush()
        out = subprocess.run([SCRIPT, "x=" + log.name], check=True,
                             capture_output=True, text=True).stdout
    passed, failed = out.splitlines()[-1].split()[1:]
    return int(passed), int(failed)


print(f"1..{len(ROWS)}")
for number, (why, result, output, want) in enumerate(ROWS, 1):
    got = count(result, output)
    print(f"{'ok' if got == want else 'not ok'} {number} - {why}")
    if got != want:
        print(f"# wanted {want}, got {got}")
