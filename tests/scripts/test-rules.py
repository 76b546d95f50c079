#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scripts/rules says what a run covered, and fails where it did not."""
import json
import pathlib
import subprocess
import sys
import tempfile

import checks

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
    ("a name in a comment is none", "C1\ttest\n", "/* " + NAMES_C1 + " */",
     "1..0\n", 1, "\n\nNOT COVERED:\n  C1\n"),
    ("a name behind a quoted comment is one", "C1\ttest\n",
     'x = "/*"; ' + NAMES_C1, None, 1, "DID NOT RUN:\n  C1 in"),
]
# The same of a test in Python.
PYTHON_ROWS = [
    ("a decorator names a rule", "C1\ttest\n",
     '@bench.shows("C1")\ndef test_a():\n    pass\n', "1..0\n", 1,
     "DID NOT RUN:\n  C1 in tests/unit/test-a.py"),
    ("a comment, a docstring do not", "C1\topen\tno\n",
     '"""\n@shows("C1")\n"""\n# @shows("C1")\n', "1..0\n", 0, "open:\n  C1"),
]


CLAIMS = 'struct step s[] = {\n\tCLAIM("x: y", RULE("C1"), ok, 0),\n};\n'
BOTH = """# shows C1
ok 1 - g rv64 spec: chapter: x: y
# shows C1
ok 2 - g rv32 spec: chapter: x: y
1..2
"""
ELSEWHERE = "# shows C1\nok 1 - of another test\n1..1\n"
# The same of a source of the guest g.
GUEST_ROWS = [
    ("a guest's claim on both ISAs", "C1\ttest\n", CLAIMS, BOTH, 0, "1 of   1"),
    ("what a guest claims, others do not show", "C1\ttest\n", CLAIMS,
     ELSEWHERE, 1, "C1 in guests/g/a.c"),
    ("no claim is left out", "C1\ttest\n", CLAIMS + CLAIMS.replace("y", "z"),
     BOTH, 1, "DID NOT RUN:\n  guests/g/a.c: rv64: x: z"),
    ("nor on one ISA", "C1\ttest\n", CLAIMS, BOTH.replace("rv32", "rv64"), 1,
     "DID NOT RUN:\n  guests/g/a.c: rv32: x: y"),
    ("a skipped claim did not run", "C1\ttest\n", CLAIMS,
     BOTH.replace("y\n", "y # SKIP\n"), 1, "guests/g/a.c: rv64: x: y"),
    ("a table may be for one ISA", "C1\ttest\n",
     CLAIMS.replace("s[]", "s_rv64[]"), BOTH.replace("rv32", "rv64"), 0, ""),
    ("a claim in a comment is none", "C1\topen\tno\n",
     "/* " + CLAIMS + " */", ELSEWHERE, 0, ""),
]


def grow(tree, rows, source, output, path="tests/unit/test-a.c"):
    for folder in ("tests/rules", "build/meson-logs"):
        (tree / folder).mkdir(parents=True)
    (tree / "tests/rules/a.tsv").write_text("# chapter: A\n" + rows)
    (tree / path).parent.mkdir(parents=True)
    (tree / path).write_text(source)
    log = "" if output is None else json.dumps(
        {"name": "a", "command": ["unit/test-a"], "stdout": output}) + "\n"
    (tree / "build/meson-logs/testlog.json").write_text(log)


def problem(rows, source, output, code, said, **more):
    with tempfile.TemporaryDirectory() as name:
        tree = pathlib.Path(name)
        grow(tree, rows, source, output, **more)
        done = subprocess.run(
            [sys.executable, "-B", SCRIPT, "--tree", tree],
            capture_output=True, text=True, check=False)
    if done.returncode == code and said in done.stdout:
        return ""
    return f"exit {done.returncode}\n{done.stdout}{done.stderr}"


def check(given):
    row, more = given
    wrong = problem(*row[1:], **more)
    return wrong == "", wrong


def main():
    every = [(row, {}) for row in ROWS]
    every += [(row, {"path": "guests/g/a.c"}) for row in GUEST_ROWS]
    every += [(row, {"path": "tests/unit/test-a.py"}) for row in PYTHON_ROWS]
    checks.main([(given[0][0], check, given) for given in every])


if __name__ == "__main__":
    main()
