#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The C files are as clang-format lays them out.

Its output changes between versions, so the check is made with the version
that the tree is laid out with and tells when it has another one.
"""
import pathlib
import re
import subprocess
import sys

import common

VERSION = "14"
STYLE = pathlib.Path(__file__).resolve().parents[2] / ".clang-format"


def version():
    out = subprocess.run(["clang-format", "--version"], check=True,
                         capture_output=True, text=True).stdout
    return re.search(r"version (\d+)", out)[1]


def check(root):
    if not (root / ".clang-format").exists():
        (root / ".clang-format").write_text(STYLE.read_text())
    names = [str(p.relative_to(root))
             for p in common.files(root, ".c", ".h")]
    if not names:
        return []
    done = subprocess.run(["clang-format", "--dry-run", "-Werror"] + names,
                          cwd=root, capture_output=True, text=True)
    return [l for l in done.stderr.splitlines() if ": error:" in l]


SAMPLES = [
    ("a file in the layout", {"a.c": "int f(void)\n{\n\treturn 0;\n}\n"},
     None),
    ("a file out of the layout", {"a.c": "int f(void) {\n  return 0;\n}\n"},
     "clang-format-violations"),
]

if __name__ == "__main__":
    if version() != VERSION:
        print(f"1..0 # SKIP clang-format {version()}, laid out by {VERSION}")
        sys.exit(0)
    common.main(check, SAMPLES)
