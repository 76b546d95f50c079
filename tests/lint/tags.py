#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A name of the programs' and libraries' stands for one thing.

No two files that make them up define a struct, union or enum of one tag, private
ones among them: who reads a backtrace, or searches for a tag, finds one. The
name of a global function is no static one's elsewhere. A file gives a function
a tag's name only where that is what it returns. Tests are programs of their own,
each, as guests and examples are.
"""
import collections
import re

import common

FOLDERS = ("buffers/", "cli/", "client/", "daemon/", "firmware-model/",
           "libpmu/", "numbers/", "proto/", "symbols/")
EXAMPLES = "client/examples/"  # users' programs
# Each program has one; what the build has and lacks, by #if.
MANY = {"main", "fast_exits_linked"}
# Where braces follow it is defined, also as a member or before a variable.
DEFINED = re.compile(r"\b(?:struct|union|enum)\s+(\w+)\s*\{")
# At the beginning of a line; what it returns, its name.
FUNCTION = re.compile(r"^(\w[\w\s*]*?[\s*])(\w+)\([^;{}]*?\)\s*\{", re.M)
NO_TYPE = re.compile(r"\b(?:else|return|typedef|define)\b")


def twice(places, what):
    return {f"{at}: {name} is another {what} at {where[0]}"
            for name, where in places.items() for at in where[1:]}


def check(root):
    tags, shown, hidden = (collections.defaultdict(list) for _ in range(3))
    found = set()
    for path in common.files(root, ".c", ".h"):
        name = str(path.relative_to(root))
        if not name.startswith(FOLDERS) or name.startswith(EXAMPLES):
            continue
        source = common.blank(path.read_text())
        own = {m[1] for m in DEFINED.finditer(source)}
        for m in DEFINED.finditer(source):
            tags[m[1]].append(f"{name}:{common.line_of(source, m.start())}")
        for m in FUNCTION.finditer(source):
            at = f"{name}:{common.line_of(source, m.start())}"
            if NO_TYPE.search(m[1]) or m[2] in MANY:
                continue
            places = hidden if re.search(r"\bstatic\b", m[1]) else shown
            places[m[2]].append(at)
            if m[2] in own and not re.search(rf"\b{m[2]}\b", m[1]):
                found.add(f"{at}: {m[2]} is a tag here, too")
    found |= twice(tags, "thing") | twice(shown, "function")
    found |= {f"{at}: {name} is a function of all at {shown[name][0]}"
              for name, where in hidden.items() if name in shown
              for at in where}
    return sorted(found)


A = "struct a { int b; };"
G = "int f(int a)\n{\n}\n"
SAMPLES = [
    ("each once", {"cli/a.c": A, "cli/b.c": "struct b { struct a c; };"},
     None),
    ("a tag twice", {"cli/a.c": A, "cli/b/c.c": "\n" + A},
     "cli/b/c.c:2: a is another thing at cli/a.c:1"),
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
    ("of two programs", {"cli/a.c": A, "daemon/server/a.c": A},
     "daemon/server/a.c:1: a is another thing at cli/a.c:1"),
    ("a user's", {"client/a.c": A, "client/examples/a.c": A}, None),
    ("tests", {"tests/a.c": A, "cli/a.c": A, "tests/b.c": A}, None),
    ("a function twice", {"cli/a.c": G, "daemon/b.c": G},
     "daemon/b.c:1: f is another function at cli/a.c:1"),
    ("a private one of a global name",
     {"cli/a.c": G, "daemon/b.c": "\nstatic " + G},
     "daemon/b.c:2: f is a function of all at cli/a.c:1"),
    ("private ones", {"cli/a.c": "static " + G, "cli/b.c": "static " + G},
     None),
    ("a call", {"cli/a.c": G, "cli/b.c": "static int g(void)\n{\n"
                                         "\tif (f(1)) {\n\t}\n}\n"}, None),
    ("a program's beginning", {"cli/a.c": "int main(void)\n{\n}\n",
                               "daemon/a.c": "int main(void)\n{\n}\n"}, None),
    ("of a tag's name", {"cli/a.c": "struct f { int b; };\n" + G},
     "cli/a.c:2: f is a tag here, too"),
    ("what makes one", {"cli/a.c": "struct f { int b; };\n"
                                   "struct f f(int b)\n{\n}\n"}, None),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
