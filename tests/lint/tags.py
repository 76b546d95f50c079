#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A tag of a program's stands for one thing.

In the files that make up one program no two define a struct, union or enum of
one tag, private ones among them: who reads a backtrace, or searches for a tag,
finds one. Tests are programs of their own, each.
"""
import collections
import re

import common

PROGRAMS = {
    "pmuctl": ("cli/", "client/", "numbers/", "proto/", "symbols/"),
    "pmud": ("daemon/server/", "daemon/grpc/", "daemon/ipc/",
             "daemon/settings/", "numbers/", "proto/"),
    "pmud-machine": ("daemon/machine/", "daemon/ipc/", "daemon/settings/",
                     "firmware-model/", "libpmu/", "numbers/", "proto/",
                     "symbols/"),
}
EXAMPLES = "client/examples/"  # users' programs
# Where braces follow it is defined, also as a member or before a variable.
DEFINED = re.compile(r"\b(?:struct|union|enum)\s+(\w+)\s*\{")


def check(root):
    found = set()
    places = collections.defaultdict(list)
    for path in common.files(root, ".c", ".h"):
        name = str(path.relative_to(root))
        source = common.blank(path.read_text())
        programs = [p for p, folders in PROGRAMS.items()
                    if name.startswith(folders) and
                    not name.startswith(EXAMPLES)]
        for m in DEFINED.finditer(source) if programs else ():
            at = f"{name}:{common.line_of(source, m.start())}"
            for program in programs:
                places[program, m[1]].append(at)
    for (program, tag), where in places.items():
        found |= {f"{at}: {tag} is another thing at {where[0]} in {program}"
                  for at in where[1:]}
    return sorted(found)


A = "struct a { int b; };"
SAMPLES = [
    ("each once", {"cli/a.c": A, "cli/b.c": "struct b { struct a c; };"},
     None),
    ("a tag twice", {"cli/a.c": A, "cli/b/c.c": "\n" + A},
     "cli/b/c.c:2: a is another thing at cli/a.c:1 in pmuctl"),
    ("one of a library", {"cli/a.c": A, "symbols/a.h": A},
     "symbols/a.h:1: a is another thing at cli/a.c:1"),
    ("of two kinds", {"cli/a.c": A, "cli/b.c": "enum a\n{ B };"},
     "cli/b.c:1: a is another thing"),
    ("before what has it", {"cli/a.c": A, "cli/b.c": f"static const {A}"},
     "cli/b.c:1: a is another thing"),
    ("in another", {"cli/a.c": A, "cli/b.c": "struct b { " + A + " };"},
     "cli/b.c:1: a is another thing"),
    ("in a comment", {"cli/a.c": A, "cli/b.c": f"/* {A} */"}, None),
    ("used", {"cli/a.c": A, "cli/b.c": "struct a f(void);\nstruct a;"}, None),
    ("programs", {"cli/a.c": A, "daemon/server/a.c": A}, None),
    ("parts of the machine's", {"libpmu/a.c": A, "daemon/machine/x/a.c": A},
     "in pmud-machine"),
    ("a user's", {"client/a.c": A, "client/examples/a.c": A}, None),
    ("tests", {"tests/a.c": A, "cli/a.c": A, "tests/b.c": A}, None),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
