#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Comments of C files: each file opens with one, and an @name is there.

Behind the licence's line stands what the file decides; an @name there is one of
the file. In another comment it is one of the code that this is of: at file scope
the declaration that follows, with those that stand below it without an empty
line; inside of a declaration that one, and of an enum the next one, too, whose
fields its kinds speak of.
"""
import re

import common

COMMENT = re.compile(r"/\*.*?\*/", re.S)
AT = re.compile(r"(?<![\w.])@([A-Za-z_]\w*)")
LICENCE = re.compile(r"/\* SPDX[^\n]*\*/\n+")
WORD = re.compile(r"[A-Za-z_]\w*")
FEW = 3  # words; less says nothing


def headless(name, source):
    """Return a finding unless @source begins with what it is about."""
    m = LICENCE.match(source)
    rest = source[m.end():] if m else source
    head = COMMENT.match(rest)
    if head and len(WORD.findall(head[0])) >= FEW:
        return []
    return [f"{name}:1: says not what it decides, behind the licence"]


def depths(code):
    """Return the depth of braces before each character."""
    found, depth = [], 0
    for c in code:
        found.append(depth)
        depth += {"{": 1, "}": -1}.get(c, 0)
    return found


def begin(code, depth, at):
    """Return where the declaration that @at lies in begins."""
    while at and depth[at - 1]:
        at -= 1
    back = code.rfind("\n\n", 0, at)
    return back + 1


def end(code, depth, at):
    """Return where the declarations behind @at end: at an empty line."""
    while at < len(code) and code[at].isspace():
        at += 1
    while True:
        at = code.find("\n\n", at)
        if at < 0:
            return len(code)
        if not depth[at]:
            return at
        at += 1


def scope(code, depth, comment, is_head):
    """Return where the code begins and ends that @comment is of."""
    at = comment.end()
    if is_head:
        return 0, len(code)
    if not depth[comment.start()]:
        return at, end(code, depth, at)
    first, last = begin(code, depth, comment.start()), end(code, depth, at)
    if code[first:last].lstrip().startswith("enum"):
        last = end(code, depth, last)
    return first, last


def check(root):
    found = []
    for path in common.files(root, ".c", ".h"):
        name, source = str(path.relative_to(root)), path.read_text()
        found += headless(name, source)
        if not AT.search(source):
            continue
        code = common.blank(source)
        depth = depths(code)
        licence = LICENCE.match(source)
        head = licence.end() if licence else 0
        for m in COMMENT.finditer(source):
            first, last = scope(code, depth, m, m.start() <= head)
            words = set(WORD.findall(code[first:last]))
            found += [f"{name}:{common.line_of(source, m.start())}: "
                      f"@{word} is nothing of what this is of"
                      for word in AT.findall(m[0]) if word not in words]
    return found


HEAD = "/* SPDX */\n/* What this file decides. */\n"


def of(text):
    return {"cli/a.c": HEAD + text}


SAMPLES = [
    ("a head", of("int a;\n"), None),
    ("no head", {"cli/a.c": "/* SPDX */\n#include \"a.h\"\n/* What for. */\n"},
     "cli/a.c:1: says not what it decides"),
    ("a head that says nothing", {"cli/a.h": "/* SPDX */\n/* A file */\n"},
     "cli/a.h:1: says not"),
    ("of the file", {"cli/a.h": "/* SPDX */\n/* Who has @n, and why. */\n\n"
                                "struct a {\n\tint n;\n};\n"}, None),
    ("a parameter", of("/* @n of them */\nint f(int n);\n"), None),
    ("none", of("/* @m of them */\nint f(int n);\n"),
     "cli/a.c:3: @m is nothing"),
    ("in a comment alone", of("/* @m of them */\nint f(int n); /* m */\n"),
     "@m is nothing"),
    ("of those below", of("/* @m */\nint f(int n);\nint g(int m);\n"), None),
    ("of others", of("/* @m */\nint f(int n);\n\nint g(int m);\n"),
     "@m is nothing"),
    ("of a body", of("/* @m */\nint f(int n)\n{\n\tint o;\n\n\treturn m;\n}\n"),
     None),
    ("in a body", of("int f(int n)\n{\n\t/* @n */\n\treturn 0; /* @m */\n}\n"),
     "cli/a.c:6: @m is nothing"),
    ("a field of its struct", of("struct a {\n\tint m; /* of @n */\n\n"
                                 "\tint n;\n};\n"), None),
    ("of another struct", of("struct a {\n\tint m; /* of @n */\n};\n\n"
                             "struct b {\n\tint n;\n};\n"), "@n is nothing"),
    ("a kind's field", of("enum a {\n\tA, /* of @n */\n};\n\n"
                          "struct b {\n\tenum a a;\n\tint n;\n};\n"), None),
    ("of a macro", of("/* @n */\n#define A(n) ((n) + 1)\n"), None),
    ("an address", of("/* me@here.org */\nint f(void);\n"), None),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
