#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scripts/rules says what a run covered, and fails where it did not."""
import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(sys.argv[1]) / "scripts/rules"
GOOD = "# shows C1\nok 1 - a\n1..1\n"
NAMES_C1 = 'shows(RULE("C1"));'

# why, the table's rows, what test-a.c names, what it printed (None: it did not
# run), the exit code, what must be said
ROWS = [
    ("a test that passed covers its rule", "C1\ttest\n", NAMES_C1, GOOD, 0,
     "all                                          covered   1 of   1\n"),
    ("a name at the end of a result will do", "C1\ttest\n", NAMES_C1,
     "ok 1 - a [C1]\n", 0, "covered   1 of   1"),
    ("several names in one line", "C1\ttest\nC2\ttest\n",
     'RULE("C1, C2")', "# shows C1, C2\nok 1 - a\n", 0, "covered   2 of   2"),
    ("a rule that nothing showed", "C1\ttest\n", "", GOOD[10:], 1,
     "NOT COVERED:\n  C1"),
    ("a failed test covers nothing", "C1\ttest\n", NAMES_C1,
     "# shows C1\nnot ok 1 - a\n", 1, "ALL TESTS FAILED:\n  C1"),
    ("one of two tests passed", "C1\ttest\n", NAMES_C1,
     "# shows C1\nnot ok 1 - a\n# shows C1\nok 2 - b\n", 0, "1 of   1"),
    ("a skipped test covers nothing", "C1\ttest\n", NAMES_C1,
     "# shows C1\nok 1 - a # SKIP no\n", 1, "NOT COVERED"),
    ("a test that ended before its result", "C1\ttest\n", NAMES_C1,
     "# shows C1\n", 1, "ALL TESTS FAILED"),
    ("a test that did not run", "C1\topen\tlater\n", NAMES_C1, None, 1,
     "DID NOT RUN:\n  C1 in tests/unit/test-a.c"),
    ("a row that did not run", "C1\ttest\nC2\topen\tlater\n",
     'RULE("C1"), RULE("C2")', GOOD, 1, "DID NOT RUN:\n  C2 in"),
    ("an open rule is told, not refused", "C1\topen\tlater\n", "", "", 0,
     "open:\n  C1: later"),
    ("an open rule that has a test is told", "C1\topen\tlater\n", NAMES_C1,
     GOOD, 0, "say 'test' in the table:\n  C1"),
    ("a rule without a test does not count", "C1\ttest\nC2\tnone\twhy\n",
     NAMES_C1, GOOD, 0, "covered   1 of   1, 1 without a test"),
]


def grow(tree, rows, source, output):
    for folder in ("tests/rules", "tests/unit", "build/meson-logs"):
        (tree / folder).mkdir(parents=True)
    (tree / "tests/rules/a.tsv").write_text("# chapter: A\n" + rows)
    (tree / "tests/unit/test-a.c").write_text(source)
    log = "" if output is None else json.dumps(
        {"name": "a", "command": ["unit/test-a"], "stdout": output}) + "\n"
    (tree / "build/meson-logs/testlog.json").write_text(log)


def problem(rows, source, output, code, said):
    with tempfile.TemporaryDirectory() as name:
        tree = pathlib.Path(name)
        grow(tree, rows, source, output)
        done = subprocess.run(
            [sys.executable, "-B", SCRIPT, "--tree", tree],
            capture_output=True, text=True, check=False)
    if done.returncode == code and said in done.stdout:
        return ""
    return f"exit {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    print(f"1..{len(ROWS)}")
    failed = 0
    for number, (why, *row) in enumerate(ROWS, 1):
        wrong = problem(*row)
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {number} - {why}")
        for line in wrong.splitlines():
            print(f"# | {line}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
