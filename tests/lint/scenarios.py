#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every test that a table of event-based branches' scenarios names is there.

In the tables whose first column is "scenario" (docs/EBB.md, docs/EBB-HOST.md)
`name` is a test, by its name in a meson.build, and `sentence_with_underscores`
one of its results: a TEST() of a C file or a function test_...() in Python. Each
scenario of the guest's table is a result of guests/ebb, by its name, or the row
says "without a counterpart". So is each test that must fail by a scenario's mutant
(tests/mutants/scenarios.tsv; that the mutants can be made, excuses.py says).
"""
import re

import common

DOCS = ("docs/EBB.md", "docs/EBB-HOST.md")
GUEST = "docs/EBB.md"
MUTANTS = "tests/mutants/scenarios.tsv"
NONE = "without a counterpart"
WORDS = re.compile(r"`([a-z][a-z0-9_-]*)`")
RESULT = re.compile(r"\bTEST(?:_\w+)?\(\s*(\w+)|^def test_(\w+)\(", re.M)


def rows(text):
    """Yield (line's number, first cell, all others) of tables of scenarios."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            inside = False
        elif line.startswith("| scenario |"):
            inside = True
        elif inside and not line.startswith("|--"):
            first, _, rest = line.strip("| ").partition(" | ")
            yield number, first, rest


def known(root):
    """Return the names of tests, of results, and all text of guests/ebb."""
    tests, results, guest = set(), set(), ""
    for path in common.files(root, ".c", ".py", ".build"):
        at = path.relative_to(root).as_posix()
        if not at.startswith(("tests/", "guests/ebb/")):
            continue
        text = common.text(path) or ""
        if at.startswith("guests/ebb/"):
            guest += text
        elif path.suffix == ".build":
            tests |= set(re.findall(r"'([a-z0-9-]+)'", text))
        else:
            results |= {a or b for a, b in RESULT.findall(text)}
    return tests, results, set(re.findall(r'"([^"\n]+)"', guest))


def missing(doc, cells, there):
    """Yield what the cells of a row name and is not there."""
    for word in WORDS.findall(cells):
        if doc == GUEST and "-" not in word:
            continue  # a register, or a call of the firmware
        if "_" not in word and word not in there[0]:
            yield f"{word} is no test"
        elif "_" in word and word not in there[1]:
            yield f"{word} is no result of a test"


def unseen(root, there):
    """Yield what no mutant can be noticed by, for it is no test."""
    if not (root / MUTANTS).exists():
        return
    for number, line in enumerate((root / MUTANTS).read_text().splitlines(),
                                  1):
        if not line or line.startswith("#"):
            continue
        test = line.split("\t")[-1]
        kind, _, name = test.partition(": ")
        if not (name in there[2] if kind == "guest" else
                kind in there[0] and name in there[1]):
            yield f"{MUTANTS}:{number}: {test} is no test"


def check(root):
    there = known(root)
    found = list(unseen(root, there))
    for doc in DOCS:
        if not (root / doc).exists():
            continue
        for number, first, cells in rows((root / doc).read_text()):
            at = f"{doc}:{number}"
            found += [f"{at}: {what}" for what in missing(doc, cells, there)]
            if doc == GUEST and not cells.startswith(NONE):
                found += [f"{at}: {name} is no result of guests/ebb"
                          for name in first.split(", ")
                          if name not in there[2]]
    return found


HEAD = "| scenario | on the host |\n|---|---|\n"
TREE = {"tests/unit/meson.build": "test('ebb-a')\n",
        "tests/unit/test-a.c": "TEST_ROWS(a_thing_is_so, rows)\n",
        "tests/e2e/test-b.py": "def test_it_comes_late():\n    pass\n",
        "guests/ebb/table.c": '{ "cycles", f },\n'}


def sample(doc, row):
    return TREE | {doc: HEAD + row + "\n\n| other | `no-test` |\n"}


def mutant(test):
    return TREE | {MUTANTS: f"# why\ncycles\tf.c\told\tnew\t{test}\n"}


SAMPLES = [
    ("a good row", sample(DOCS[1], "| x | `ebb-a`: `a_thing_is_so`, exact |"),
     None),
    ("one in Python", sample(DOCS[1], "| x | `ebb-a`: `it_comes_late` |"),
     None),
    ("no such test", sample(DOCS[1], "| x | `ebb-b`: `a_thing_is_so` |"),
     "ebb-b is no test"),
    ("no such result", sample(DOCS[1], "| x | `ebb-a`: `a_thing_is_not` |"),
     "a_thing_is_not is no result of a test"),
    ("a guest's", sample(GUEST, "| cycles | `ebbhr` of `ebb-a` |"), None),
    ("a guest's that is gone", sample(GUEST, "| cycle | `ebbhr` |"),
     "cycle is no result of guests/ebb"),
    ("a guest's that names no test", sample(GUEST, "| cycles | (`ebb-b`) |"),
     "ebb-b is no test"),
    ("a mutant's", mutant("ebb-a: a_thing_is_so"), None),
    ("a mutant's in the guest", mutant("guest: cycles"), None),
    ("a mutant's that is gone", mutant("ebb-a: a_thing"),
     "ebb-a: a_thing is no test"),
    ("a mutant's that is gone from the guest", mutant("guest: b"),
     "guest: b is no test"),
    ("a guest's without one", sample(GUEST, "| x | without a counterpart |"),
     None),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
