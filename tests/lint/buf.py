#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The protocol passes buf's lint and breaks nothing of its baseline.

buf comes with scripts/setup into .deps/npm; without it this fails.
"""
import pathlib
import shutil
import subprocess

import common

TREE = pathlib.Path(__file__).resolve().parents[2]


def buf():
    own = TREE / ".deps/npm/node_modules/.bin/buf"
    return str(own) if own.exists() else shutil.which("buf")


def run(*arguments, cwd):
    done = subprocess.run([buf(), *arguments], cwd=cwd, capture_output=True,
                          text=True)
    out = (done.stdout + done.stderr).strip()
    return (out.splitlines() or ["buf failed"]) if done.returncode else []


def check(root):
    if buf() is None:
        return ["buf is missing: run scripts/setup"]
    if not (root / "proto/buf.yaml").exists():
        shutil.copy(TREE / "proto/buf.yaml", root / "proto/buf.yaml")
    common.looked_at([*(root / "proto").rglob("*.proto")])
    return run("lint", "proto", cwd=root) + \
        run("breaking", "proto", "--against", "proto/baseline.binpb",
            cwd=root)


def check_change(root):
    """Take old/ as the baseline of proto/; then as check()."""
    shutil.copy(TREE / "proto/buf.yaml", root / "old/buf.yaml")
    made = run("build", "old", "-o", "proto/baseline.binpb", cwd=root)
    return made or check(root)


HEAD = 'syntax = "proto3";\npackage pmu.v1;\n'


def sample(before, after):
    return {"old/pmu/v1/a.proto": HEAD + before,
            "proto/pmu/v1/a.proto": HEAD + after}


A = "message A {\n  uint64 x = 1;\n}\n"
SAMPLES = [
    ("a field more", sample(A, A.replace("}", "  bool y = 2;\n}")), None),
    ("a field with another type", sample(A, A.replace("uint64", "string")),
     "changed type"),
    ("a field's number given to another",
     sample(A, A.replace(" x ", " z ")), "changed name"),
    ("a field taken away", sample(A, "message A {}\n"), "deleted"),
    ("a name out of style", sample(A, A.replace(" A ", " a_b ")),
     "PascalCase"),
]

if __name__ == "__main__":
    common.main(lambda root: check(root) if root == TREE
                else check_change(root), SAMPLES)
