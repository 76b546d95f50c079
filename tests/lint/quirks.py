#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""One table says what sets the profiles apart.

docs/SBI-PMU.md shows the table of firmware-model/quirk.c, row by row; `--write`
brings it there. Elsewhere in the programs a profile is handed on, never asked
for: what the code wants to know is whether there is a quirk.
"""
import pathlib
import re
import sys

import common

TABLE = "firmware-model/quirk.c"
PAGE = "docs/SBI-PMU.md"
HEAD = "| quirk | rule or source | the firmware then |\n|---|---|---|\n"
ROW = re.compile(r"^\tOPENSBI\((\w+),\s*(RULE|SOURCE)\((\"[^\"]+\")\),"
                 r"((?:\s*\"[^\"]*\")+)\)", re.M)
SHOWN = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")
ASKED = re.compile(r"[=!]=\s*FW_PROFILE_\w+|FW_PROFILE_\w+\s*[=!]=[^=]|"
                   r"\bis_opensbi\b|\bcase FW_PROFILE_")
FOLDERS = ("firmware-model/", "daemon/", "cli/")


def strings(text):
    return "".join(re.findall(r'"([^"]*)"', text))


def table(root):
    """Return docs/SBI-PMU.md's table as the source has it, and its rows."""
    path = root / TABLE
    source = path.read_text() if path.exists() else ""
    rows = [(name, strings(rule), strings(what))
            for name, _, rule, what in ROW.findall(source)]
    return HEAD + "".join(f"| `{n}` | {r} | {w} |\n" for n, r, w in rows), rows


def asked(root):
    for path in common.files(root, ".c", ".h"):
        name = str(path.relative_to(root))
        if not name.startswith(FOLDERS) or name == TABLE:
            continue
        source = common.blank(path.read_text())
        for m in ASKED.finditer(source):
            yield (f"{name}:{common.line_of(source, m.start())}: "
                   "asks for a profile, not for a quirk")


def check(root):
    found = list(asked(root))
    page = root / PAGE
    want, rows = table(root)
    if not page.exists():
        return found
    flags = (root / TABLE).read_text().count("\tOPENSBI(")
    if len(rows) != flags:
        found.append(f"{TABLE}: {flags} rows, {len(rows)} of them readable")
    shown = SHOWN.search(page.read_text())
    if not shown or shown[0] != want:
        found.append(f"{PAGE}: not the table of {TABLE}; "
                     "tests/lint/quirks.py --write")
    return found


def write(root):
    page = root / PAGE
    page.write_text(SHOWN.sub(lambda _: table(root)[0], page.read_text()))


CODE = '\tOPENSBI(a, RULE("C1"),\n\t\t"It "\n\t\t"does."),\n'
SHOWS = HEAD + "| `a` | C1 | It does. |\n"
SAMPLES = [
    ("as the source has it", {TABLE: CODE, PAGE: SHOWS}, None),
    ("a row is missing", {TABLE: CODE, PAGE: HEAD}, "not the table"),
    ("a row too many", {TABLE: CODE, PAGE: SHOWS + "| `b` | C2 | No. |\n"},
     "not the table"),
    ("another sentence",
     {TABLE: CODE.replace("does", "did"), PAGE: SHOWS}, "not the table"),
    ("a row that cannot be read",
     {TABLE: CODE + "\tOPENSBI(b, rule, what),\n", PAGE: SHOWS}, "readable"),
    ("a profile is handed on",
     {"daemon/a.c": "x = FW_PROFILE_SPEC;\n"}, None),
    ("a profile is asked for",
     {"daemon/a.c": "x = p == FW_PROFILE_SPEC;\n"}, ":1: asks"),
    ("a profile is asked for, backwards",
     {"cli/a.c": "x = FW_PROFILE_SPEC != p;\n"}, ":1: asks"),
]

if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write(pathlib.Path(__file__).resolve().parents[2])
    else:
        common.main(check, SAMPLES)
