#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every excuse of tests/mutants/equivalent.tsv is for a mutant of this tree,
says where it is and why no test can notice it, and stands there once. Every
scenario's mutant, in scenarios.tsv, is of a text that stands once in its file.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent /
                       "mutants"))
import common  # noqa: E402
import source  # noqa: E402 - found by the line above

LIST = "tests/mutants/equivalent.tsv"
SCENARIOS = "tests/mutants/scenarios.tsv"


def names(root, path, known):
    """Return the names of the mutants of one source."""
    if path not in known:
        at = root / path
        known[path] = {m.id for m in source.mutants(path, at.read_text())} \
            if at.is_file() else set()
    return known[path]


def scenarios(root):
    """Return what is wrong with the scenarios' mutants."""
    found = []
    if not (root / SCENARIOS).exists():
        return found
    for number, line in enumerate(
            (root / SCENARIOS).read_text().splitlines(), 1):
        if line.startswith("#"):
            continue
        at, parts = f"{SCENARIOS}:{number}", line.split("\t")
        if len(parts) != 5 or not all(parts[:3] + parts[4:]):
            found.append(f"{at}: not five parts, by tabs")
            continue
        old = parts[2].replace("\\n", "\n").replace("\\t", "\t")
        file = root / parts[1]
        n = file.read_text().count(old) if file.is_file() else 0
        if n != 1:
            found.append(f"{at}: its text stands {n} times in {parts[1]}")
    return found


def check(root):
    return excuses(root) + scenarios(root)


def excuses(root):
    if not (root / LIST).exists():
        return []
    found, known, seen = [], {}, set()
    lines = common.looked_at((root / LIST).read_text().splitlines())
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            continue
        at, parts = f"{LIST}:{number}", line.split("\t")
        if len(parts) != 3 or not all(parts):
            found.append(f"{at}: not a name, a place and a reason, by tabs")
            continue
        name, place, _ = parts
        if name in seen:
            found.append(f"{at}: {name} stands there twice")
        elif name not in names(root, place.split()[0], known):
            found.append(f"{at}: {name} is no mutant of "
                         f"{place.split()[0]} any more")
        seen.add(name)
    return found


CODE = "int f(int a)\n{\n\treturn a + 1;\n}\n"
ONE = next(m.id for m in source.mutants("numbers/f.c", CODE)
           if m.old == "+")
ROW = f"{ONE}\tnumbers/f.c f: + -> -\ta is 0.\n"
SAMPLES = [
    ("a good one", {LIST: "# why\n" + ROW, "numbers/f.c": CODE}, None),
    ("changed code", {LIST: ROW, "numbers/f.c": CODE.replace("1", "2")},
     "is no mutant of numbers/f.c any more"),
    ("a file that is gone", {LIST: ROW}, "is no mutant"),
    ("no reason", {LIST: ROW.rsplit("\t", 1)[0] + "\n", "numbers/f.c": CODE},
     "not a name, a place and a reason"),
    ("twice", {LIST: ROW + ROW, "numbers/f.c": CODE}, "twice"),
    ("a scenario", {SCENARIOS: "s\tf.c\tint\tlong\tt: p\n", "f.c": CODE},
     "stands 2 times in f.c"),
    ("a good scenario", {SCENARIOS: "s\tf.c\treturn a\treturn b\tt: p\n",
                         "f.c": CODE}, None),
    ("a short scenario", {SCENARIOS: "s\tf.c\tint\n"}, "not five parts"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
