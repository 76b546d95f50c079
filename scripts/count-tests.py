#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Count the results of meson test runs, and the tests that gave them.

usage: count-tests.py LABEL=TESTLOG.json ...

Prints one line per log with its passed, failed and skipped results and the
names of what failed or was skipped and why, then the sum of all results, and
last "total PASSED FAILED": of distinct tests, each of which may have given many
results, as it runs in several builds or on several machines. One bad result
makes a test a failed one.

A test that speaks TAP counts by its results, any other as one; what a plan
promises and the test did not tell, a test that ended badly with no bad result,
and a log without a test are failed. A result is told from others of its program
by its name and, where rows share a name, by its turn; a line "# test NAME"
before it says instead which test it is a result of.
"""
import collections
import json
import re
import sys

PLAN = re.compile(r"^1\.\.(\d+)", re.M)
LINE = re.compile(r"^(?:(?P<bad>not )?ok\b(?P<rest>[^\n]*)|# test (?P<test>.+))$",
                  re.M)
SKIP = re.compile(r"#\s*skip\w*:?", re.I)
# of Check: the file of the last assertion, case, function, what it said
CHECK = re.compile(r"\S+\.[ch]:([^:]+:[^:]+): ")
NUMBER = re.compile(r"^ *\d* *-? *")
PASSED, FAILED, SKIPPED = range(3)
NAMED = 20  # results of one test
REASON = 200  # characters of one


def name_of(rest):
    """Return what names a result: no number, and nothing that may change."""
    text = SKIP.split(NUMBER.sub("", rest))[0].strip()
    m = CHECK.match(text)
    return m[1] if m else text


def tap_results(output):
    """Return (name, turn, state) of TAP's results, None for other text."""
    plan = PLAN.search(output)
    if not plan:
        return None
    found, seen, own = [], collections.Counter(), None
    for m in LINE.finditer(output):
        if m["test"]:
            own = m["test"].strip()
            continue
        state = SKIPPED if SKIP.search(m["rest"]) else \
            FAILED if m["bad"] else PASSED
        name = name_of(m["rest"])
        seen[name] += 1
        found.append((own, 0, state) if own else (name, seen[name], state))
        own = None
    found += [("a result that never came", n, FAILED)
              for n in range(len(found), int(plan[1]))]
    if plan[1] == "0":
        found.append(("all of it", 0, SKIPPED))
    return found


def results(test):
    """Return (name, turn, state) of each result of one entry of meson's log."""
    result = test["result"]
    found = tap_results(test.get("stdout", "")) or []
    if result in ("OK", "EXPECTEDFAIL"):
        return found or [("", 0, PASSED)]
    if result == "SKIP":
        skipped = any(s == SKIPPED for _, _, s in found)
        return found if skipped else [("all of it", 0, SKIPPED)]
    if not any(s == FAILED for _, _, s in found):
        found.append(("its end", 0, FAILED))
    return found


def bad_lines(output):
    """Return the first bad results of TAP output with what they say."""
    lines = output.splitlines() if PLAN.search(output) else []
    found, told = [], False
    for line in lines:
        told = line.startswith("not ok") or (told and line.startswith("#"))
        if told:
            found.append("      " + line)
    return found[:NAMED]


def skips(test):
    """Return (name, reason) of what was skipped of a test."""
    output = test.get("stdout", "")
    plan = PLAN.search(output)
    if plan and plan[1] == "0":
        why = output[plan.end():].partition("\n")[0]
        return [("all of it", SKIP.sub("", why))]
    found = []
    if plan:
        rests = [m["rest"]
                 for m in LINE.finditer(output) if m["rest"] is not None]
        found = [(name_of(rest) or f"result {n}", SKIP.split(rest, 1)[1])
                 for n, rest in enumerate(rests, 1) if SKIP.search(rest)]
    if test["result"] == "SKIP" and not found:
        # of exit 77: who ends so says why before
        words = output.strip() or test.get("stderr", "").strip()
        found.append(("all of it", words.rpartition("\n")[2]))
    return found


def skip_lines(test):
    """Return what says so. No line begins as that of the sum does."""
    found = skips(test)
    lines = []
    for name, reason in found[:NAMED]:
        reason = reason.strip() or "says not why"
        if len(reason) > REASON:
            reason = reason[:REASON] + "..."
        text = f"      skipped: {name}: {reason}"
        lines.append("".join(c if c.isprintable() else "?" for c in text))
    if len(found) > NAMED:
        lines.append(f"      skipped: {len(found) - NAMED} more")
    return lines


class Count:
    """All results of all logs, and the states that each test had."""

    def __init__(self):
        self.totals = [0, 0, 0]
        self.tests = collections.defaultdict(set)

    def add(self, program, found):
        counts = [0, 0, 0]
        for name, turn, state in found:
            counts[state] += 1
            self.tests[program, name, turn].add(state)
        self.totals = [a + b for a, b in zip(self.totals, counts)]
        return counts

    def distinct(self):
        """Return how many tests passed and failed."""
        failed = sum(FAILED in states for states in self.tests.values())
        passed = sum(PASSED in states for states in self.tests.values()
                     if FAILED not in states)
        return passed, failed


def count_log(count, label, path):
    """Add one log and print its counts."""
    totals = [0, 0, 0]
    notes = []
    with open(path, encoding="utf-8") as log:
        tests = [json.loads(line) for line in log]
    for test in tests:
        counts = count.add(test["name"], results(test))
        totals = [a + b for a, b in zip(totals, counts)]
        for word, number in zip(("failed", "skipped"), counts[1:]):
            if number:
                notes.append(f"   {word} {number}: {test['name']}")
        notes.extend(bad_lines(test.get("stdout", "")))
        notes.extend(skip_lines(test))
    if not tests:
        totals = count.add(label, [("has tests", 0, FAILED)])
        notes.append("   failed 1: no test ran")
    print("{}: {} passed, {} failed, {} skipped".format(label, *totals))
    print("".join(note + "\n" for note in notes), end="")


def main():
    count = Count()
    for argument in sys.argv[1:]:
        count_log(count, *argument.split("=", 1))
    passed, failed = count.distinct()
    print("results: {} passed, {} failed, {} skipped".format(*count.totals) +
          f" in {len(sys.argv) - 1} runs; distinct tests: {len(count.tests)}")
    print(f"total {passed} {failed}")


if __name__ == "__main__":
    main()
