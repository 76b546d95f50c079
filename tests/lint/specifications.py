#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What docs/specifications/ says of files and rules is so.

A row of a table there has a demand, the files that meet it and the rules that
show it. Files are in the tree; rules exist, and tests name them; a row
without files or rules has a dash, and for rules a reason behind it.
"""
import pathlib
import re
import sys

import common
import rules as rules_lint

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rules"))
import table  # noqa: E402 - found by the line above

HEAD = "| demands | where | shown by |"
PATH = re.compile(r"`([^`]+)`")


def rows(text):
    """Yield (line number, cells) of the tables with our head."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            inside = False
        elif line == HEAD:
            inside = True
        elif inside and not line.startswith("|---"):
            yield number, [c.strip() for c in line.strip("|").split("|")]


def in_row(root, cells, known, tested):
    """Yield what is wrong with one row."""
    if len(cells) != 3 or not all(cells):
        yield "a row has three cells"
        return
    paths = PATH.findall(cells[1])
    if PATH.sub("", cells[1]).strip() not in ("", "-") or \
            not paths and cells[1] != "-":
        yield f"not files: {cells[1]}"
    yield from (f"there is no file {p}" for p in paths
                if not (root / p).exists())
    if cells[2].startswith("-"):
        if cells[2] == "-":
            yield "a dash has a reason behind it"
        return
    for name in table.split(cells[2]):
        if name not in known:
            yield f"there is no rule '{name}'"
        elif name not in tested:
            yield f"no test names rule {name}"


def check(root):
    try:
        rules = table.load(root)
    except ValueError as error:
        return [f"tests/rules/{error}"]
    known = rules_lint.anchors(root) | set(rules)
    tested = set().union(*table.named(root).values())
    found = []
    for path in sorted((root / "docs/specifications").glob("*.md")):
        for number, cells in common.looked_at([*rows(path.read_text())]):
            found += [f"{path.relative_to(root)}:{number}: {why}"
                      for why in in_row(root, cells, known, tested)]
    return found


def sample(row):
    return {"docs/specifications/a.md": f"{HEAD}\n|---|---|---|\n{row}\n",
            "tests/rules/anchors.txt": "scountovf_op\n",
            "tests/rules/a.tsv": "C1\ttest\nC2\topen\tlater\n",
            "tests/unit/test-a.c": 'RULE("C1 scountovf_op")',
            "libpmu/a.c": "\n"}


SAMPLES = [
    ("a good row", sample("| a | `libpmu/a.c` | C1 scountovf_op |"), None),
    ("a reason", sample("| a | - | - not yet: C2 |"), None),
    ("no such file", sample("| a | `libpmu/b.c` | C1 |"), "no file libpmu/b"),
    ("a file without marks", sample("| a | libpmu/a.c | C1 |"), "not files"),
    ("no such rule", sample("| a | `libpmu/a.c` | C3 |"), "no rule 'C3'"),
    ("an open rule", sample("| a | `libpmu/a.c` | C2 |"), "no test names rule C2"),
    ("a bare dash", sample("| a | `libpmu/a.c` | - |"), "a reason behind"),
    ("a cell too few", sample("| a | `libpmu/a.c` |"), "three cells"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
