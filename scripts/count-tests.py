#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Count the results of meson test runs.

usage: count-tests.py LABEL=TESTLOG.json ...

Prints one line per log with its passed, failed and skipped results and the
names of what failed or was skipped, and last "total PASSED FAILED". A test
that speaks TAP counts by its results, any other as one; what a plan promises
and the test did not tell, and a test that ended badly with no bad result, is
failed.
"""
import json
import re
import sys

PLAN = re.compile(r"^1\.\.(\d+)", re.M)
RESULT = re.compile(r"^(not )?ok\b([^\n]*)$", re.M)
SKIP = re.compile(r"#\s*skip", re.I)


def count_tap(output):
    """Return [passed, failed, skipped] of TAP output, None for other text."""
    plan = PLAN.search(output)
    if not plan:
        return None
    counts = [0, 0, 0]
    for bad, rest in RESULT.findall(output):
        counts[2 if SKIP.search(rest) else 1 if bad else 0] += 1
    counts[1] += max(0, int(plan[1]) - sum(counts))
    if plan[1] == "0":
        counts[2] += 1
    return counts


def count_test(test):
    """Return [passed, failed, skipped] of one entry of meson's log."""
    result = test["result"]
    counts = count_tap(test.get("stdout", "")) or [0, 0, 0]
    if result in ("OK", "EXPECTEDFAIL"):
        return counts if sum(counts) else [1, 0, 0]
    if result == "SKIP":
        return counts if counts[2] else [0, 0, 1]
    if not counts[1]:
        counts[1] = 1
    return counts


def bad_lines(output):
    """Return the first bad results of TAP output with what they say."""
    lines = output.splitlines() if PLAN.search(output) else []
    found, told = [], False
    for line in lines:
        told = line.startswith("not ok") or (told and line.startswith("#"))
        if told:
            found.append("      " + line)
    return found[:20]


def count_log(label, path):
    """Print one log's counts; return passed and failed."""
    totals = [0, 0, 0]
    notes = []
    with open(path, encoding="utf-8") as log:
        for line in log:
            test = json.loads(line)
            counts = count_test(test)
            totals = [a + b for a, b in zip(totals, counts)]
            for word, number in zip(("failed", "skipped"), counts[1:]):
                if number:
                    notes.append(f"   {word} {number}: {test['name']}")
            notes.extend(bad_lines(test.get("stdout", "")))
    print("{}: {} passed, {} failed, {} skipped".format(label, *totals))
    print("".join(note + "\n" for note in notes), end="")
    return totals[:2]


def main():
    passed = failed = 0
    for argument in sys.argv[1:]:
        label, path = argument.split("=", 1)
        more, worse = count_log(label, path)
        passed, failed = passed + more, failed + worse
    print(f"total {passed} {failed}")


if __name__ == "__main__":
    main()
