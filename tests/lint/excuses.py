#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every excuse of tests/mutants/equivalent.tsv is for a mutant of this tree,
says where it is and why no test can notice it, and stands there once.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent /
                       "mutants"))
import common  # noqa: E402
import source  # noqa: E402 - found by the line above

LIST = "tests/mutants/equivalent.tsv"


def names(root, path, known):
    """Return the names of the mutants of one source."""
    if path not in known:
        at = root / path
        known[path] = {m.id for m in source.mutants(path, at.read_text())} \
            if at.is_file() else set()
    return known[path]


def check(root):
    if not (root / LIST).exists():
        return []
    found, known, seen = [], {}, set()
    for number, line in enumerate((root / LIST).read_text().splitlines(), 1):
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
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
