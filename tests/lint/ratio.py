#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Parts have at least so many lines of unit test for each line of code.

What counts are lines of C files and headers that are not blank, nor comment
alone. A file of tests/unit is of the highest part of which it includes a header,
by itself or by headers of tests: no arrow runs up (layers.py), so that whatever is
lower is only what that part is made of. Without any it is nobody's.
`--table` prints the ratios.
"""
import collections
import pathlib
import sys

import common
import layers

# From the top down, with the least that a part must have; None: it is only told.
PARTS = {
    "cli": 0.6, "daemon/server": 0.6, "daemon/grpc": None,
    "daemon/machine": 0.6, "client": 0.6, "symbols": None, "proto": None,
    "daemon/settings": None, "firmware-model": None, "libpmu": None,
    "numbers": None, "buffers": None,
}
TESTS = "tests/unit"


def part_of(name):
    return next((p for p in PARTS if layers.inside(name, p)), None)


class Tree:
    """The C files of a tree, and which of them each includes."""

    def __init__(self, root):
        self.source = {str(p.relative_to(root)):
                       common.blank(p.read_text(), keep_strings=True)
                       for p in common.files(root, ".c", ".h")}
        self.by_name = collections.defaultdict(list)
        for name in self.source:
            self.by_name[name.rsplit("/", 1)[-1]].append(name)

    def lines(self, name):
        return sum(bool(line.strip())
                   for line in self.source[name].split("\n"))

    def includes(self, name):
        for m in layers.INCLUDE.finditer(self.source[name]):
            if m[1] == '"' or "/" in m[2]:
                near = self.by_name[m[2].rsplit("/", 1)[-1]]
                yield from layers.resolve(name, m[2], near)

    def reached(self, name):
        """Return what a test includes, by itself or by headers of tests."""
        found, todo = set(), [name]
        while todo:
            new = set(self.includes(todo.pop())) - found
            found |= new
            todo += [n for n in new if layers.inside(n, "tests")]
        return found

    def tested(self, name):
        """Return the part that a test is of."""
        parts = {part_of(n) for n in self.reached(name)}
        return next((p for p in PARTS if p in parts), None)


def count(root):
    """Return the lines of code of each part, and those of its tests."""
    tree = Tree(root)
    code, tests = collections.Counter(), collections.Counter()
    for name in tree.source:
        if layers.inside(name, TESTS):
            tests[tree.tested(name)] += tree.lines(name)
        else:
            code[part_of(name)] += tree.lines(name)
    return code, tests


def check(root):
    code, tests = count(root)
    return [f"{part}/: {tests[part]} lines of unit test for {code[part]} of "
            f"code, {tests[part] / code[part]:.2f}, at least {least}"
            for part, least in PARTS.items()
            if least and tests[part] < least * code[part]]


def table(root):
    code, tests = count(root)
    for part in PARTS:
        yield (f"| `{part}/` | {code[part]} | {tests[part]} | "
               f"{tests[part] / code[part]:.2f} |")


def lines(count, include=None):
    head = f'#include "{include}"\n' if include else ""
    return head + "int a;\n" * (count - bool(include))


def small(tests, **more):
    return {"cli/a.c": lines(9), "cli/a.h": lines(1),
            "daemon/server/b.h": "", "libpmu/c.h": "",
            "tests/unit/test-a.c": tests, **more}


FIXTURE = {"tests/unit/fixture.h": lines(1, "cli/a.h")}
SAMPLES = [
    ("as many as must be", small(lines(6, "cli/a.h")), None),
    ("one less", small(lines(5, "cli/a.h")),
     "cli/: 5 lines of unit test for 10 of code, 0.50, at least 0.6"),
    ("blank lines and comments are none",
     small(lines(5, "cli/a.h") + "\n/* a\n * b\n */\n"), "0.50"),
    ("what is lower counts for what is higher",
     small('#include "libpmu/c.h"\n' + lines(5, "cli/a.h")), None),
    ("what is higher does not count for what is lower",
     small('#include "cli/a.h"\n' + lines(9, "server/b.h"),
           **{"daemon/server/b.c": lines(10)}), "daemon/server/: 0 lines"),
    ("by a header of tests", small(lines(5, "fixture.h"), **FIXTURE), None),
    ("other tests are no unit tests",
     small("", **{"tests/e2e/test-b.c": lines(6, "cli/a.h")}), "cli/: 0"),
]

if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print(*table(pathlib.Path(__file__).resolve().parents[2]), sep="\n")
        sys.exit()
    common.main(check, SAMPLES)
