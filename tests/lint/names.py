#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A file's name says which file it is, and who names a file names one.

No two C files of the tree have one name, but those of TWICE, a list that may
only shrink. A comment that names a file of ours names one that exists, by its
name or by the end of its path; so do docs/ARCHITECTURE.md and its drawings,
where a function() is one of ours, too.
In that page's map every folder with sources has its row, or stands by name in
the row of a folder above it, and every row's folder exists.
Who calls a method names it by METHOD_PATH(), which the protocol has.
"""
import collections
import fnmatch
import re

import common

# A main.c of each program is no puzzle.
ANYWHERE = {"main.c"}
# Programs of others include <pmuclient/machine.h>; the core's machine.h has the
# name of its type and functions.
TWICE = {"machine.h"}
# A driver that comments cite, and instructions.
FOREIGN = {"riscv_pmu_sbi.c", "hlv.h", "hsv.h"}
COMMENT = re.compile(r"/\*.*?\*/", re.S)
NAMED = re.compile(r"(?<![\w./*-])(?<!<(?!pmu/|fw/|pmuclient/))[\w*/.-]*[\w*-]\.(?:[chS]|py|md|proto|tsv)"
                   r"(?![\w/.*-]*[\w/*-])")
METHOD = re.compile(r'"\w+Service/\w*"')
CALLERS = ("client", "cli")
MAP = "docs/ARCHITECTURE.md"
HEAD = "| folder | decides | may include |"
FUNCTION = re.compile(r"`(\w+)\(\)`")
FOLDER = re.compile(r"`([\w./-]+)/`")
CELL = re.compile(r"^\| (`[\w./-]+/`(?:, `[\w./-]+/`)*) \|(.*)$")
# Their rows stand for all that is below.
WHOLE = ("tests", "guests", "bench")


def once(paths):
    """Yield findings on names of C files that stand for several."""
    by_name = collections.defaultdict(list)
    for path in paths:
        if path.endswith((".c", ".h")):
            by_name[path.rsplit("/", 1)[-1]].append(path)
    for name, found in sorted(by_name.items()):
        if len(found) > 1 and name not in TWICE | ANYWHERE:
            yield f"{found[-1]}: {found[0]} has that name, too"
    for name in sorted(TWICE):
        if len(by_name[name]) == 1:
            yield f"{name} is there once only: strike it from TWICE"


def exists(name, paths, near=""):
    """Is there a file whose path ends so, or is @name's pattern one's?"""
    ends = [name, near + name]
    return any(path == end or path.endswith("/" + end) or
               fnmatch.fnmatchcase(path, end) or
               fnmatch.fnmatchcase(path, "*/" + end)
               for end in ends for path in paths)


def in_comments(root, path, paths):
    source = path.read_text()
    for comment in COMMENT.finditer(source):
        for m in NAMED.finditer(comment[0]):
            if m[0] in FOREIGN or exists(m[0], paths):
                continue
            line = common.line_of(source, comment.start() + m.start())
            yield f"{path.relative_to(root)}:{line}: there is no {m[0]}"


def typed_methods(root, path):
    """Yield findings on methods that are named by hand."""
    name = path.relative_to(root)
    source = common.blank(path.read_text(), keep_strings=True)
    for m in METHOD.finditer(source if name.parts[0] in CALLERS else ""):
        line = common.line_of(source, m.start())
        yield f"{name}:{line}: {m[0]}: METHOD_PATH() names methods"


def rows(text):
    """Yield (line number, folder, rest of the row) of the map."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        m = CELL.match(line)
        inside = line == HEAD or (inside and line.startswith("|"))
        if inside and m:
            yield from ((number, folder, m[2])
                        for folder in FOLDER.findall(m[1]))


def covered(folder, found):
    """Has @folder a row of @found, or is it named in that of one above?"""
    for row, rest in found.items():
        if folder == row:
            return True
        if not folder.startswith(row + "/"):
            continue
        if row in WHOLE or any(("/" + folder).endswith("/" + name)
                               for name in FOLDER.findall(rest)):
            return True
    return False


def in_map(root, paths):
    """Yield findings on the page: its map, and the files that it names."""
    text = (root / MAP).read_text()
    found = {}
    for number, folder, rest in rows(text):
        found[folder] = rest
        for name in [folder, *FOLDER.findall(rest)]:
            if not any(f"/{name}/" in "/" + p
                       for p in paths):
                yield f"{MAP}:{number}: there is no folder {name}"
    sources = {p.rsplit("/", 1)[0].split("/include")[0] for p in paths
               if p.endswith((".c", ".h")) and "/" in p}
    yield from (f"{MAP}: the map has no row for {f}" for f in sorted(sources)
                if not covered(f, found))
    for number, line in enumerate(text.splitlines(), 1):
        near = CELL.match(line)
        for name in NAMED.findall(re.sub(r"<\w+>", "*", line)):
            if not exists(name, paths, near[1].strip("`") if near else ""):
                yield f"{MAP}:{number}: there is no {name}"


def functions_of_map(root, sources):
    """Yield findings on functions that docs/ARCHITECTURE.md names."""
    text = (root / MAP).read_text()
    code = "\n".join(p.read_text() for p in sources)
    for m in FUNCTION.finditer(text):
        if not re.search(rf"\b{m[1]}\(", code):
            line = common.line_of(text, m.start())
            yield f"{MAP}:{line}: there is no {m[1]}()"


def check(root):
    every = common.files(root)
    paths = [str(p.relative_to(root)) for p in every]
    found = list(once(paths))
    for path in every:
        if path.suffix in (".c", ".h"):
            found += in_comments(root, path, paths)
            found += typed_methods(root, path)
    if (root / MAP).exists():
        found += in_map(root, paths)
        found += functions_of_map(root, [p for p in every
                                         if p.suffix in (".c", ".h")])
    return found


def sample(row, **more):
    page = f"{HEAD}\n|---|---|---|\n{row}\n\nSee `a.c`.\n"
    return {MAP: page, "core/a.c": "", **{k.replace("__", "/") + ".c": text
                                          for k, text in more.items()}}


ROW = "| `core/` | all | - |"
SAMPLES = [
    ("each once", {"a/a.c": "/* b.h, a/a.c */", "a/b.h": ""}, None),
    ("a name twice", {"a/a.c": "", "b/a.c": ""}, "a/a.c has that name, too"),
    ("programs", {"a/main.c": "", "b/main.c": ""}, None),
    ("owed", {"a/machine.h": "", "b/machine.h": ""}, None),
    ("owed no longer", {"a/machine.h": ""}, "strike it from TWICE"),
    ("a file that is gone", {"a/a.c": "/* see\n * old/b.c */"},
     "a/a.c:2: there is no old/b.c"),
    ("in a string", {"a/a.c": 'x = "old/b.c";'}, None),
    ("a header of the system", {"a/a.c": "/* as <string.h> has it */"}, None),
    ("a public header that is none", {"a/a.c": "/* see <pmu/a.h> */"},
     "no pmu/a.h"),
    ("a pattern", {"a/dev-a.c": "/* see dev-*.c */"}, None),
    ("a pattern of nothing", {"a/a.c": "/* see dev-*.c */"}, "no dev-*.c"),
    ("a method by hand", {"cli/a.c": 'f(c, "HartService/ReadCsr");'},
     "cli/a.c:1: \"HartService/ReadCsr\": METHOD_PATH()"),
    ("in a comment", {"cli/a.h": '/* as "HartService/ReadCsr" */'}, None),
    ("in a test", {"tests/a.c": '"HartService/ReadCsr"'}, None),
    ("a map", sample(ROW), None),
    ("a folder without a row", sample(ROW, view__b=""), "no row for view"),
    ("a folder in the row of one above",
     sample("| `core/` | all, `in/` more | - |", core__in__b=""), None),
    ("one that is not", sample(ROW, core__in__b=""), "no row for core/in"),
    ("a row without a folder", sample(ROW + "\n| `b/` | none | - |"),
     "no folder b"),
    ("tests as a whole", sample(ROW + "\n| `tests/` | all | - |",
                                tests__unit__b=""), None),
    ("a file that the map names", sample("| `core/` | `a.c` | - |"), None),
    ("one that is not there", sample("| `core/` | `b.c` | - |"), "no b.c"),
    ("a function that the map names",
     {**sample(ROW + "\n\n`f()`"), "core/a.c": "int f(int);"}, None),
    ("one that is not there", sample(ROW + "\n\n`f()`"), "there is no f()"),
    ("public headers are their folder's",
     {**sample(ROW), "core/include/pmu/x.h": ""}, None),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
