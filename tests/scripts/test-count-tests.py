#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scripts/count-tests.py counts every result once, and no failure as passed."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import checks

SCRIPT = pathlib.Path(sys.argv[1]) / "scripts/count-tests.py"
E2E = pathlib.Path(sys.argv[1]).resolve() / "tests/e2e"

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


# why, what one program wrote in each run, the wanted tests, the wanted results
TWICE = "1..2\nok 1 - a\nok 2 - b\n"
AGAIN = [
    ("two runs give a test two results", [TWICE, TWICE], (2, 0), (4, 0)),
    ("one bad result makes a test a bad one",
     [TWICE, "1..2\nok 1 - a\nnot ok 2 - b\n"], (1, 1), (3, 1)),
    ("what Check says at the end is no part of a name",
     ["1..1\nok 1 - t.c:case:f: Passed\n",
      "1..1\nnot ok 1 - u.c:case:f: Assertion 'x' failed\n"],
     (0, 1), (1, 1)),
    ("rows of one name are as many tests", ["1..2\nok 1 - a\nok 2 - a\n"] * 2,
     (2, 0), (4, 0)),
    ("what says so is a result of one test",
     ["1..3\n# test x\nok 1 - rv32: x\n# test x\nok 2 - rv64: x\nok 3 - y\n"],
     (2, 0), (3, 0)),
    ("a run that ended early does not hide what was good",
     [TWICE, "1..2\nok 1 - a\n"], (2, 1), (3, 1)),
    ("skipped in one run and good in another is good",
     ["1..1\nok 1 - a # SKIP x\n", "1..1\nok 1 - a\n"], (1, 0), (1, 0)),
    ("a run of no tests is bad", [TWICE, None], (2, 1), (2, 1)),
]

# why, meson's entry, the wanted lines between those of the test and of all logs
LONG = "x" * 201
SKIPPED = [
    ("a test of TAP says why it is skipped",
     {"result": "SKIP", "stdout": "1..0 # SKIP no kernel\n"},
     ["all of it: no kernel"]),
    ("each skipped result does",
     {"result": "OK", "stdout": "1..3\nok 1 - a # SKIP no c\nok 2 - b\n"
                                "ok 3 - d # skip: no e\n"},
     ["a: no c", "d: no e"]),
    ("one without a name has its number",
     {"result": "OK", "stdout": "1..2\nok\nok # SKIP no c\n"},
     ["result 2: no c"]),
    ("exit 77: what was written last is why",
     {"result": "SKIP", "returncode": 77, "stdout": "begins\nno tool\n\n",
      "stderr": "noise\n"}, ["all of it: no tool"]),
    ("or what was written to the other", {"result": "SKIP", "stderr": "no\n"},
     ["all of it: no"]),
    ("that it says nothing is said", {"result": "SKIP"},
     ["all of it: says not why"]),
    ("nor by TAP", {"result": "SKIP", "stdout": "1..0 # SKIP\n"},
     ["all of it: says not why"]),
    ("a long reason is cut",
     {"result": "SKIP", "stdout": f"1..0 # SKIP {LONG}\n"},
     [f"all of it: {LONG[:200]}..."]),
    ("a terminal is told nothing",
     {"result": "SKIP", "stdout": "1..0 # SKIP a\x1b[2Jb\n"},
     ["all of it: a?[2Jb"]),
    ("so many are named",
     {"result": "OK", "stdout": "1..22\n" + "".join(
         f"ok {i} - t{i} # SKIP no\n" for i in range(1, 23))},
     [f"t{i}: no" for i in range(1, 21)] + ["2 more"]),
    ("the first plan is the plan",
     {"result": "OK", "stdout": "1..1\nok - a # SKIP no b\n1..0 # SKIP c\n"},
     ["a: no b"]),
    ("what is good is not named", {"result": "OK", "stdout": TWICE}, []),
]


def said(*logs):
    """What is printed of logs, each a list of meson's entries."""
    with tempfile.TemporaryDirectory() as folder:
        args = []
        for number, entries in enumerate(logs):
            path = pathlib.Path(folder, f"{number}.json")
            path.write_text("".join(json.dumps(e) + "\n" for e in entries))
            args.append(f"x={path}")
        return subprocess.run([SCRIPT, *args], check=True, capture_output=True,
                              text=True).stdout.splitlines()


def counts(*logs):
    """Tests and results."""
    out = said(*logs)
    tests = tuple(int(n) for n in out[-1].split()[1:])
    words = out[-2].split()
    return tests, (int(words[1]), int(words[3]))


# Two runs of one claim, as the test of the conformance guests says them.
CLAIMS = """
import importlib, sys
sys.argv = ["", "pmuctl", "pmud", "source"]
sys.path[:0] = [E2E]
tap = importlib.import_module("test-conformance").Tap()
for run in ("guest rv32", "guest rv64"):
    tap.result(True, run, "a claim")
tap.done()
"""


def claims():
    """Return what it writes of two runs of one claim."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [sys.executable, "-B", "-c",
             f"E2E = {str(E2E)!r}{CLAIMS}"],
            env=os.environ | {"TMPDIR": folder}, check=True,
            capture_output=True, text=True).stdout


def reasons(one):
    """What is said of a skipped test, in a log before another's."""
    lines = said([{"name": "t"} | one], [entry("")])
    first = [line for line in lines if line.startswith("      ")]
    return [line.removeprefix("      skipped: ") for line in first]


def entry(output, result="OK"):
    return {"name": "t", "result": result, "stdout": output}


def cases():
    for why, result, output, want in ROWS:
        yield why, counts([entry(output, result)])[0], want
    for why, outputs, tests, results in AGAIN:
        logs = [[entry(o)] if o else [] for o in outputs]
        yield why, counts(*logs), (tests, results)
    yield ("a conformance claim of two runs is one test",
           counts([entry(claims())]), ((1, 0), (2, 0)))
    for why, one, want in SKIPPED:
        yield why, reasons(one), want


checks.main((why, checks.same, given) for why, *given in cases())
