#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every rule that a table or test names exists.

Looks at RULE("...") in all C files: a name of tests/rules/anchors.txt, or C
and the number of a conformance item. Several are parted by commas or spaces.
A field .rule with a bare string is a finding: it would escape this check.
"""
import re

import common

RULE = re.compile(r'\bRULE\(\s*"([^"]*)"\s*\)')
ODD_RULE = re.compile(r'\bRULE\((?!\s*"[^"]*"\s*\))')
BARE = re.compile(r'\.rule\s*=\s*"')
ITEM = re.compile(r"C([1-9][0-9]*)\Z")
ITEMS = set(range(1, 184)) | set(range(190, 203))


def anchors(root):
    path = root / "tests/rules/anchors.txt"
    return {line for line in path.read_text().splitlines()
            if line and not line.startswith("#")}


def unknown(names, known):
    """Return why a RULE's string is not good, or None."""
    parts = re.split(r"[,\s]+", names.strip())
    for part in parts:
        item = ITEM.match(part)
        if item and int(item[1]) not in ITEMS:
            return f"there is no conformance item {part}"
        if not item and part not in known:
            return f"there is no rule '{part}'"
    return None


def findings(source, known):
    """Yield (offset, message) for one C file."""
    for m in RULE.finditer(source):
        why = unknown(m[1], known)
        if why:
            yield m.start(), why
    for m in ODD_RULE.finditer(source):
        if "#define" not in source[:m.start()].rsplit("\n", 1)[-1]:
            yield m.start(), "RULE() takes one string literal"
    for m in BARE.finditer(source):
        yield m.start(), "write .rule = RULE(\"...\")"


def check(root):
    known = anchors(root)
    found = []
    for path in common.files(root, ".c", ".h"):
        source = common.blank(path.read_text(), keep_strings=True)
        for offset, why in findings(source, known):
            line = common.line_of(source, offset)
            found.append(f"{path.relative_to(root)}:{line}: {why}")
    return found


def sample(code):
    return {"tests/rules/anchors.txt": "# names\nscountovf_op\n",
            "libpmu/a.c": code}


SAMPLES = [
    ("a known anchor", sample('x = RULE("scountovf_op");\n'), None),
    ("known items", sample('x = RULE("C1, C202 scountovf_op");\n'), None),
    ("a rule in a comment is none", sample('/* RULE("no") */\n'), None),
    ("the definition of RULE", sample('#define RULE(name) "" name\n'), None),
    ("an unknown anchor", sample('x = RULE("scountovf_up");\n'),
     "scountovf_up"),
    ("an anchor with its prefix", sample('RULE("norm:scountovf_op")'),
     "norm:"),
    ("an item that does not exist", sample('RULE("C184")'), "C184"),
    ("an item beyond the last", sample('RULE("C203")'), "C203"),
    ("an empty rule", sample('RULE("")'), "no rule ''"),
    ("not a literal", sample("RULE(name)\n"), "one string literal"),
    ("a bare string", sample('.rule = "scountovf_op"'), "write .rule"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
