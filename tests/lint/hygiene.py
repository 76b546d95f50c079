#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What every file must have and none may have.

A licence line first; in C no // comments; nowhere a path or an archive's
address of one machine, a note of work left open, trailing blanks, CR, or a
missing last newline; in a test in Python no program that is started by a fork
of Python, which threads of gRPC do not survive, no end that loses what was
printed (tests/child.py has the ways for both), and no results but by
tests/asserted.py, which knows whether anything was asserted.
"""
import ast
import re

import common

LICENCE = "SPDX-License-Identifier: BSD-2-Clause"
DATA_LICENCE = "SPDX-License-Identifier: CC-BY-4.0"
WITH_LICENCE = {".c", ".h", ".S", ".ld", ".lds", ".py", ".sh", ".proto",
                ".build", ".service", ".socket", ".conf", ".yaml", ".ts"}

# Written in pieces, or this file would find itself.
MACHINE = re.compile("|".join([
    r"(?<![\w.}])/wo" r"rk/", r"(?<![\w.}])/fa" r"rm/",
    r"(?<![\w.}])/ho" r"me/\w", r"deb\." r"debian\.org",
    r"registry\." r"npmjs", r"pypi\." r"org", r"snapshot\." r"debian",
]))
TEMPORARY = re.compile(r"(?<![\w.}])/tm" r"p/")
OPEN = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
# What a reader of the tree cannot look up.
ELSEWHERE = re.compile(r"\b(?:decisions|engine|conformance|styleguide|"
                       r"design|ecosystem|peers|linux-client)\.m" r"d\b|"
                       r"\bdecision [0-9]+")

# What subprocess, and child.start() by it, can do by a fork of Python only.
STARTS = {"Popen", "run", "call", "check_call", "check_output", "start"}
FORKS = {"user", "group", "extra_groups", "preexec_fn"}


# A plan of TAP, but one of a test that is skipped.
PLAN = re.compile(r'\bprint\(f?"1\.\.(?!0 # SKIP)[\d{]')
ENDS = re.compile(r"\bos\._ex" r"it\(")
DEMANDS = re.compile(r"\bas" r"serted\.")


def script(source):
    return source.startswith("#!")


def licence_line(source):
    lines = source.split("\n", 2)
    return lines[1] if script(source) and len(lines) > 1 else lines[0]


def needs_licence(path, source):
    return path.suffix in WITH_LICENCE or script(source) or \
        path.name in ("meson.build", "meson_options.txt")


def comment_findings(source):
    for m in common.TOKEN.finditer(source):
        if m[0].startswith("//"):
            yield m.start(), "write /* */ instead of //"


def line_findings(name, source):
    for m in MACHINE.finditer(source):
        yield m.start(), f"a path or address of one machine: {m[0]}"
    for m in OPEN.finditer(source):
        yield m.start(), f"work left open: {m[0]}"
    for m in ELSEWHERE.finditer(source):
        yield m.start(), f"a page that is not in the tree: {m[0]}"
    for m in re.finditer(r"[ \t]+$", source, re.M):
        if not name.endswith(".md"):
            yield m.start(), "trailing blanks"
    for m in re.finditer("\r", source):
        yield m.start(), "a carriage return"
    if not name.startswith("tests/"):
        for m in TEMPORARY.finditer(source):
            yield m.start(), "a fixed temporary directory"


def python(path, source):
    return path.suffix == ".py" or re.match(r"#!.*\bpython", source)


def fork_findings(name, source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and STARTS & {
                getattr(node.func, "attr", ""), getattr(node.func, "id", "")}:
            for given in FORKS & {k.arg for k in node.keywords}:
                yield f"{name}:{node.lineno}: {given}= forks: child.as_user()"


def end_findings(name, source):
    """What a fork has printed is its parent's to print."""
    for m in ENDS.finditer(source):
        if not name.endswith("/child.py") and "os.fork()" not in source:
            yield (f"{name}:{common.line_of(source, m.start())}: "
                   "what was printed is lost: child.leave()")


def result_findings(name, source):
    m = PLAN.search(source)
    if m and not DEMANDS.search(source) and not name.endswith("/asserted.py"):
        yield (f"{name}:{common.line_of(source, m.start())}: results without "
               "asserted.demanded() or Results")


def check_file(path, name, source):
    first = licence_line(source)
    if needs_licence(path, source) and LICENCE not in first and \
            DATA_LICENCE not in first:
        yield f"{name}:1: no licence line"
    if source and not source.endswith("\n"):
        yield f"{name}: no newline at the end"
    hits = list(line_findings(name, source))
    if path.suffix in (".c", ".h"):
        hits.extend(comment_findings(source))
    if name.startswith("tests/") and python(path, source):
        yield from fork_findings(name, source)
        yield from end_findings(name, source)
        yield from result_findings(name, source)
    for offset, why in hits:
        yield f"{name}:{common.line_of(source, offset)}: {why}"


def check(root):
    found = []
    for path in common.files(root):
        source = common.text(path)
        if source is not None:
            name = str(path.relative_to(root))
            found.extend(check_file(path, name, source))
    return found


SPDX = "/* " + LICENCE + " */\n"
FORK = "# " + LICENCE + "\nimport subprocess\nsubprocess.run(%s)\n"
SAMPLES = [
    ("a clean file",
     {"a.c": SPDX + '/* a // b */\nchar *u = "http://x"; char c = \'"\';\n'},
     None),
    ("a clean script", {"a": "#!/bin/sh\n# " + LICENCE + "\n"}, None),
    ("a relative path", {"a.md": "see ../wo" "rk/x and $dir/tm" "p/y\n"},
     None),
    ("no licence", {"a.c": "int x;\n"}, "no licence"),
    ("no licence in a script", {"a": "#!/bin/sh\nexit\n"}, "no licence"),
    ("a // comment", {"a.c": SPDX + "int x; // y\n"}, "instead of //"),
    ("a path of one machine", {"a.md": "in /wo" "rk/x\n"}, "one machine"),
    ("an archive's address", {"a": "deb http://deb." "debian.org x\n"},
     "one machine"),
    ("a temporary directory", {"cli/a.md": "/tm" "p/x\n"}, "temporary"),
    ("work left open", {"a.md": "TO" "DO: all\n"}, "left open"),
    ("a page of elsewhere", {"a.c": SPDX + "/* see engine.m" "d 4 */\n"},
     "not in the tree"),
    ("trailing blanks", {"a.c": SPDX + "int x; \n"}, "trailing"),
    ("a carriage return", {"a.c": SPDX + "int x;\r\n"}, "carriage"),
    ("a program of another user",
     {"tests/a.py": FORK % "child.as_user('nobody', ['id'])"}, None),
    ("an end of a test", {"tests/a.py": FORK % "['id']" + "child.leave(1)\n"},
     None),
    ("an end without what was printed",
     {"tests/a.py": FORK % "['id']" + "os._ex" "it(1)\n"}, "child.leave()"),
    ("a fork of Python for a user", {"tests/a.py": FORK % "['id'], user=1"},
     "a.py:3: user= forks"),
    ("a fork of Python in a script",
     {"tests/a": "#!/usr/bin/env python3\n" + FORK % "c, preexec_fn=f"},
     "preexec_fn= forks"),
    ("a fork elsewhere", {"bench/a.py": FORK % "c, user=1"}, None),
    ("results that nobody looks into",
     {"tests/a.py": "# " + LICENCE + "\nprint(f\"1.." "{len(rows)}\")\n"},
     "a.py:2: results without"),
    ("a plan of none",
     {"tests/a.py": "# " + LICENCE + "\nprint(\"1.." "0 # SKIP why\")\n"},
     None),
    ("results that are looked into",
     {"tests/a.py": "# " + LICENCE + "\nprint(f\"1.." "{n}\")\nas"
                    "serted.demanded()\n"}, None),
    ("no last newline", {"a.c": SPDX + "int x;"}, "no newline"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
