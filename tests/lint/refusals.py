#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every refusal of the firmware model says why.

An error of SBI is written as REFUSE(fw, ERROR, "why", ...), or handed to
sbi_refuse() with its reason. Elsewhere its name may only be compared with, or
stand in the table of transitions, whose errors its callers hand on.
"""
import re

import common

STATEMENT = re.compile(r"[^;{}]+")
ERROR = re.compile(r"\bSBI_ERR_\w+")
COMPARED = re.compile(r"[=!]= *SBI_ERR_\w+|\bSBI_ERR_##error")
LITERAL = re.compile(r"\bsbi_err\(\s*-?\d")
EMPTY = re.compile(r'\bREFUSE\(\s*\w+(?:->\w+)?,\s*\w+\s*\)')


def check_file(name, source):
    text = common.blank(source)
    for m in STATEMENT.finditer(text):
        bare = COMPARED.sub("", m[0])
        line = common.line_of(text, m.start() + len(m[0]) -
                              len(m[0].lstrip()))
        if "sbi_refuse(" not in bare and ERROR.search(bare):
            yield f"{name}:{line}: {ERROR.search(bare)[0]} without a reason"
        if LITERAL.search(bare):
            yield f"{name}:{line}: a number as an error, without a reason"
        if EMPTY.search(bare):
            yield f"{name}:{line}: REFUSE without a reason"


def check(root):
    found = []
    for path in common.files(root, ".c"):
        name = str(path.relative_to(root))
        if name.startswith("firmware-model/"):
            found.extend(check_file(name, path.read_text()))
    return found


FILE = "firmware-model/sbi-x.c"
SAMPLES = [
    ("with a reason", {FILE: 'return REFUSE(fw, FAILED, "so");\n'}, None),
    ("handed on with one",
     {FILE: 'return sbi_refuse(fw, a ? SBI_ERR_FAILED : b,\n\t\twhy);\n'},
     None),
    ("compared with", {FILE: "if (err == SBI_ERR_DENIED)\n\treturn err;\n"},
     None),
    ("in a comment", {FILE: "/* SBI_ERR_DENIED */\nreturn 0;\n"}, None),
    ("elsewhere", {"daemon/a.c": "return SBI_ERR_DENIED;\n"}, None),
    ("an error of its own", {FILE: "x = 1;\nreturn SBI_ERR_DENIED;\n"},
     ":2: SBI_ERR_DENIED without"),
    ("as an answer", {FILE: "return sbi_err(SBI_ERR_FAILED);\n"},
     "SBI_ERR_FAILED without"),
    ("in a choice", {FILE: "return ok ? 0 : SBI_ERR_FAILED;\n"},
     "SBI_ERR_FAILED without"),
    ("as a number", {FILE: "return sbi_err(-3);\n"}, "a number"),
    ("no text", {FILE: "return REFUSE(fw, FAILED);\n"}, "REFUSE without"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
