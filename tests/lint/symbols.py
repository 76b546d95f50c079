#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What the objects of the programs say: no circles of files, nothing dead.

A file depends on another whose function or object its code names; what stands
in a table of constants is no dependence, so a table may name its handlers. In
the folders of CARVED no circle may have more than two files, elsewhere none at
all but those of CIRCLES.

A global function or object that no other object of the shipped programs and
libraries names is dead, or should be static: tests are no use. Exempt is what
the headers declare that are installed.

The lists below say what there is all the same, and why; a line of them that is
not needed is a finding, too.
"""
import collections
import pathlib
import re
import subprocess
import sys

import common
import objects

SMALL = 2
CARVED = {"daemon/machine/core", "daemon/machine/view",
          "daemon/machine/control", "daemon/server"}
UNICORN = "daemon/machine/engine/unicorn/"
CIRCLES = [
    {"libpmu/counter.c", "libpmu/overflow.c"},
    {"libpmu/csr-hyp-irq.c", "libpmu/csr-trap.c"},
    {"libpmu/exec-hyp.c", "libpmu/exec.c"},
    {"firmware-model/counters/ctr-map.c", "firmware-model/counters/ctr.c"},
    {UNICORN + "float.c", UNICORN + "regs.c"},
    {"daemon/grpc/conn.c", "daemon/grpc/h2.c"},
]
# What only tests name, and why it stays.
TESTED = {
    "quota_held": "what is given back too little, or twice, shows in a "
                  "refusal at the limit alone: tests of hosting look after "
                  "each case that nothing is held any more",
    **dict.fromkeys(
        ("machine_give", "machine_take", "state_free"),
        "that owners give and take their state is shown by moving machines"),
    "fw_platform_event": "code 65535 is the specification's (C34, C44), for "
                         "platforms with firmware events of their own; "
                         "pmud's has none, and a firmware model that could "
                         "not count them could not be asked about them",
    "fw_quirk_desc": "the table has the rule and the sentence that "
                     "docs/SBI-PMU.md shows; only by it can each row be "
                     "switched alone, and a row without a test be found",
}
# What only code in front of Unicorn's helpers names: it is not compiled where
# the linker wraps none of them (a shared Unicorn, another processor).
WRAPPING = {"code_way_out"}
WRAP = "__wrap_"
# What the C library looks for.
WELL_KNOWN = {"main", "argp_program_version", "argp_program_bug_address"}
# Of what is installed: the firmware model is for pmud-machine alone.
PUBLIC = ("libpmu/include", "client/include")
GENERATED = re.compile(r"\.pb-c\.c$|^build[^/]*/|^\.\./")

# carved: {folder}, circles: [{file}], tested and wrapping: {name}
Rules = collections.namedtuple("Rules", "carved circles tested wrapping")


class Tree:
    """The shipped objects: who depends on whom, and who uses what."""

    def __init__(self, root, build):
        made = objects.load(root, build)
        read = {o: objects.read(build / o)
                for parts in made.programs.values() for o in parts}
        self.depends = collections.defaultdict(set)  # by source
        self.defines = {made.sources[o]: read[o].defined for o in read}
        self.used = collections.defaultdict(set)  # names, by source
        for parts in made.programs.values():
            self.link([(made.sources[o], read[o]) for o in parts])

    def link(self, parts):
        where = {}
        for source, obj in parts:
            for name in obj.defined:
                where.setdefault(name, source)
        for source, obj in parts:
            for name in (obj.code | obj.data) & where.keys():
                self.used[where[name]].add(name)
                if name in obj.code and where[name] != source:
                    self.depends[source].add(where[name])


def circles(depends):
    """Return the sets of files each of which depends on each (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(file):
        index[file] = low[file] = len(index)
        stack.append(file)
        for other in sorted(depends.get(file, ())):
            if other not in index:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], index[other])
        if low[file] == index[file]:
            at = stack.index(file)
            found.append(set(stack[at:]))
            del stack[at:]

    for file in sorted(depends):
        if file not in index:
            visit(file)
    return [circle for circle in found if len(circle) > 1]


def folder_of(file):
    return file.rsplit("/", 1)[0]


def names(circle):
    return " ".join(sorted(circle))


def check_circles(found, carved, listed):
    """Yield findings on the circles @found."""
    here = [set(c) for c in listed]
    for circle in found:
        if carved & {folder_of(f) for f in circle}:
            if len(circle) > SMALL:
                yield f"a circle of more than {SMALL} files: {names(circle)}"
            continue
        if not any(circle <= c for c in listed):
            yield f"a circle: {names(circle)}"
        for c in here:
            c -= circle
    for rest in here:
        if rest:
            yield f"no circle has them, strike them: {names(rest)}"


def public_names(root):
    return {word for folder in PUBLIC
            for path in sorted((root / folder).rglob("*.h"))
            for word in re.findall(r"\w+", common.blank(path.read_text()))}


def check_dead(root, tree, tested, wrapping):
    """Yield findings on what nobody uses."""
    public, dead = public_names(root) | WELL_KNOWN, set()
    wraps = any(name.startswith(WRAP)
                for defined in tree.defines.values() for name in defined)
    listed = set(tested) | (set() if wraps else wrapping)
    for source, defined in sorted(tree.defines.items()):
        if GENERATED.search(source):
            continue
        for name in sorted(defined - tree.used[source] - public):
            if name.startswith(WRAP):  # the linker's --wrap uses it
                continue
            dead.add(name)
            if name not in listed:
                yield (f"{source}: {name} is used by no other file of a "
                       "program: make it static, or strike it")
    for name in sorted(listed - dead):
        yield f"{name} is not dead any more: strike it from the lists"


def check(root, build, rules):
    tree = Tree(root, build)
    common.looked_at(tree.depends)
    return [*check_circles(circles(tree.depends), rules.carved, rules.circles),
            *check_dead(root, tree, rules.tested, rules.wrapping)]


def check_tree(root):
    return check(root, pathlib.Path(sys.argv[2]).resolve(),
                 Rules(CARVED, CIRCLES, TESTED, WRAPPING))


def check_sample(root):
    """Compile a sample's files, say how in build.ninja, and check that."""
    build = root / "build"
    build.mkdir()
    edges, parts = [], []
    for path in sorted(root.rglob("*.c")):
        source = path.relative_to(root)
        part = "p/" + str(source).replace("/", "_") + ".o"
        parts.append(part)
        edges.append(f"build {part}: c_COMPILER ../{source} || a.h\n")
        (build / "p").mkdir(exist_ok=True)
        subprocess.run(["cc", "-O2", "-fPIC", "-w", "-c", path, "-o",
                        build / part], check=True)
    edges.append(f"build p/libx.a: STATIC_LINKER {parts[0]}\n")
    edges.append(f"build x: c_LINKER {' '.join(parts[1:])} | p/libx.a\n")
    edges.append(f"build tests/y: c_LINKER {' '.join(parts)}\n")
    (build / "build.ninja").write_text("".join(edges))
    return check(root, build, Rules(
        {"core"},
        [{"old/a.c", "old/b.c"}] if (root / "old").exists() else [],
        {"late"} if (root / "late.c").exists() else set(),
        {"way"} if (root / "way.c").exists() else set()))


def ring(*files):
    """Return files each of which calls the next."""
    texts = {}
    for n, file in enumerate(files):
        other = (n + 1) % len(files)
        texts[file] = (f"int f{other}(int);\n"
                       f"int f{n}(int x) {{ return f{other}(x) + 1; }}\n")
    return texts


MAIN = {"z.c": "int f0(int);\nint main(void) { return f0(1); }\n"}
WAY = "int way(int x) { return x + 1; }\n"
HEADER = "libpmu/include/pmu/a.h"
SAMPLES = [
    ("a call down", {"a.c": "int f0(int x) { return x; }\n", **MAIN}, None),
    ("a circle", {**ring("a/a.c", "b/b.c"), **MAIN},
     "a circle: a/a.c b/b.c"),
    ("a small one in core", {**ring("core/a.c", "core/b.c"), **MAIN}, None),
    ("one of three in core",
     {**ring("core/a.c", "core/b.c", "core/c.c"), **MAIN},
     "more than 2 files: core/a.c core/b.c core/c.c"),
    ("one that is listed", {**ring("old/a.c", "old/b.c"), **MAIN}, None),
    ("one that is no longer",
     {"old/a.c": "int f0(int x) { return x; }\n", **MAIN},
     "strike them: old/a.c old/b.c"),
    ("a table names its handlers",
     {"a.c": "int f0(int), f1(int);\nint (*const t[])(int) = { f1, f0 };\n"
             "int f0(int n) { return t[n](n); }\n",
      "b.c": "int f0(int);\nint f1(int n) { return n ? f0(n / 2) : 0; }\n"
             "int (*volatile p)(int);\n",
      "c.c": "extern int (*const t[])(int), (*volatile p)(int);\n"
             "int g(void) { return p != t[0]; }\n",
      "z.c": "int f0(int), g(void);\n"
             "int main(void) { return f0(1) + g(); }\n"}, None),
    ("and may give them a type of its own",
     {"a.c": "int f1(int), f2(int);\n"
             "static int t1(void *p) { return f1(*(int *)p); }\n"
             "static int t2(void *p) { return f2(*(int *)p); }\n"
             "static int (*const t[])(void *) = { t1, t2 };\n"
             "int f0(int n) { return t[n](&n); }\n",
      "b.c": "int f0(int);\nint f1(int n) { return n ? f0(n / 2) : 0; }\n"
             "int f2(int n) { return n; }\n", **MAIN}, None),
    ("a function that only tests use",
     {"a.c": "int f0(int x) { return x; }\nint dead(void) { return 1; }\n",
      **MAIN}, "a.c: dead is used by no other"),
    ("one for its own file",
     {"a.c": "__attribute__((noinline)) int own(int x) { return x * x; }\n"
             "int f0(int x) { return own(x); }\n", **MAIN}, "make it static"),
    ("an object", {"a.c": "int v = 1;\nint f0(int x) { return x; }\n",
                   **MAIN}, "a.c: v is used by no other"),
    ("a public one",
     {"a.c": "int f0(int x) { return x; }\nint dead(void) { return 1; }\n",
      HEADER: "int dead(void);\n", **MAIN}, None),
    ("one that a public header speaks of only",
     {"a.c": "int f0(int x) { return x; }\nint dead(void) { return 1; }\n",
      HEADER: "/* not dead() */\n", **MAIN}, "a.c: dead is used by no other"),
    ("a dead one that is listed",
     {"late.c": "int late(void) { return 1; }\n",
      "a.c": "int f0(int x) { return x; }\n", **MAIN}, None),
    ("a listed one that is used",
     {"late.c": "int late(void) { return 1; }\n",
      "a.c": "int late(void);\nint f0(int x) { return late(); }\n", **MAIN},
     "late is not dead any more"),
    ("what only a wrapper names, where nothing is wrapped",
     {"way.c": WAY, "a.c": "int f0(int x) { return x; }\n", **MAIN}, None),
    ("and where something is",
     {"way.c": WAY, "a.c": "int way(int);\nint f0(int x) { return x; }\n"
                           "int __wrap_g(int x) { return way(x); }\n",
      **MAIN}, None),
    ("a wrapper that does not name it",
     {"way.c": WAY, "a.c": "int f0(int x) { return x; }\n"
                           "int __wrap_g(int x) { return x; }\n", **MAIN},
     "way.c: way is used by no other"),
]

if __name__ == "__main__":
    common.main(check_tree, SAMPLES, check_sample)
