#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scripts/mutate finds what can be mutated, and what no test notices."""
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(sys.argv[1])
SCRIPT = TOP / "scripts/mutate"
sys.path[:0] = [str(TOP / "tests/mutants"), str(TOP / "tests")]
import asserted  # noqa: E402 - found by the line above
import source  # noqa: E402 - found by the same line

# why, the inside of a function, all its mutants as "kind: old -> new"
BODIES = [
    ("relations go to their neighbours", "return a < b;",
     ["relational: < -> <=", "relational: < -> >=",
      "return: return a < b -> return 0"]),
    ("a condition is negated", "if (a)\n\t\tf();",
     ["condition: a -> !(a)", "deletion: f() -> "]),
    ("a loop has a condition", "for (i = 0; i != a; i++)\n\t\t;",
     ["constant: 0 -> 1", "relational: != -> ==", "arithmetic: ++ -> --",
      "condition: i != a -> !(i != a)"]),
    ("a declaration is not deleted, its value changes", "int x = a + 2;",
     ["arithmetic: + -> -", "constant: 2 -> 3", "constant: 2 -> 1"]),
    ("an array's size is left alone", "char x[16];", []),
    ("pointers and addresses are no operators", "char *p = &q->x;", []),
    ("bits and shifts", "a = ~b | c << 1;",
     ["deletion: a = ~b | c << 1 -> ", "bit: ~ -> ", "bit: | -> &",
      "bit: << -> >>", "constant: 1 -> 2", "constant: 1 -> 0"]),
    ("logic", "return !a && b;",
     ["return: return !a && b -> return 0", "logical: ! -> ",
      "logical: && -> ||"]),
    ("a literal keeps its form", "return 0x10u;",
     ["return: return 0x10u -> return 0", "constant: 0x10u -> 0x11u",
      "constant: 0x10u -> 0xfu"]),
    ("truth", "return true;", ["constant: true -> false"]),
    ("a label is no statement", "switch (a) {\n\tcase 1:\n\t\tbreak;\n\t}",
     ["constant: 1 -> 2", "constant: 1 -> 0", "deletion: break -> "]),
    ("comments, strings and directives stay",
     '/* a < 1 */\n#if A < 1\n#endif\n\tf("a < 1");',
     ['deletion: f("a < 1") -> ']),
    ("an assertion stays", "assert(a < 1);", []),
]
# why, the file, all its mutants
FILES = [
    ("rows of a table", "static const struct r rows[] = {\n\t{ 1, true },\n};",
     ["table: 1 -> 2", "table: 1 -> 0", "table: true -> false"]),
    ("values of an enum", "enum {\n\tN = 3\n};",
     ["table: 3 -> 4", "table: 3 -> 2"]),
    ("a type has none", "struct s {\n\tint a[3];\n};", []),
]

CODE = """
int a_table[] = { 5 };
int clamp(int x)
{
	if (x > 9)
		return 9;
	return x + 0 * x;
}
int late(int x)
{
	return x < 100;
}
int never(int x)
{
	return x - 1;
}
"""
CHECK = """
int clamp(int x);
int late(int x);
extern int a_table[];
int main(void)
{
	return !(clamp(9) == 9 && clamp(10) == 9 && clamp(2) == 2 &&
		 late(7) && !late(107) && a_table[0] == 5);
}
"""
MESON = """project('sample', 'c')
lib = static_library('s', 'libpmu/inner/s.c')
test('t', executable('t', 't.c', link_with: lib), suite: 'unit')
"""
SLOW = """
#include <unistd.h>
int late(int x);
int main(void)
{
	return usleep(500000) || late(100);
}
"""
MESON_SLOW = """
test('slow', executable('slow', 'slow.c', link_with: lib), suite: 'unit')
"""
FAR = """#!/bin/sh
exec ./far
"""
KEEPS = """
#include <stdlib.h>
int keep(void)
{
	char *p = malloc(10);
	int good = p != NULL;

	free(p);
	return good;
}
"""
LEAK = """
int keep(void);
int main(void)
{
	return !keep();
}
"""
MESON_FAR = """
far = executable('far', 'far.c', link_with: lib)
test('far', find_program('far.sh'), depends: far, suite: 'e2e')
"""

MAIN = """
int twice(int x);
int main(void)
{
	return twice(2) != 4;
}
"""
TWICE = """
#include "twice.h"
int twice(int x)
{
	return x * FACTOR;
}
"""
# made as guests are: of its sources, by a compiler that is named
MESON_GUEST = """
guest = custom_target('g.elf', input: ['guest/main.c', 'guest/twice.c'],
  output: 'g.elf', command: ['cc', '-Werror', '@INPUT@', '-o', '@OUTPUT@'])
test('guest', find_program('env'), args: guest.full_path(), depends: guest,
  suite: 'e2e')
test('other', find_program('false'), suite: 'e2e')
"""


def table():
    """FOLDERS of scripts/mutate."""
    loader = importlib.machinery.SourceFileLoader("mutate", str(SCRIPT))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module.FOLDERS


def layers():
    """The folders of meson.build that are the product: guests/ is what the
    tests run, and is mutated by none."""
    text = (TOP / "meson.build").read_text().split("if with_tests\n")[0]
    return set(re.findall(r"^subdir\('(.*)'\)", text, re.M)) - {"guests"}


def outside(folders):
    """Sources of the product that are not in one of the folders, or in two."""
    sources = [path.relative_to(TOP) for layer in layers()
               for path in (TOP / layer).rglob("*.c")
               if "examples" not in path.parts]
    wrong = [str(path) for path in sources
             if sum(path.is_relative_to(f) for f in folders) != 1]
    return sources, wrong


def tree():
    """Yield (good, what) of the table and the tree."""
    sources, wrong = outside(table())
    yield (len(sources) > 300 and not wrong,
           "every source of the product is in one folder of the table",
           str(wrong))
    less = {f: n for f, n in table().items() if f != "guest"}
    yield (outside(less)[1] == ["guest/ebb.c"],
           "one that is in none is noticed", str(outside(less)))


def mutants_of(text):
    return sorted(f"{m.kind}: {m.old} -> {m.new}"
                  for m in source.mutants("x.c", text))


def run(top, *args):
    done = subprocess.run(
        [sys.executable, "-B", SCRIPT, "--top", top, "--jobs", "1", *args],
        capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def states(top):
    results = json.loads((top / "build-mutants/last.json").read_text())
    return {(r["scope"], r["kind"], r["old"], r["new"]): r
            for r in results["results"]}


def grow(top):
    (top / "libpmu/inner").mkdir(parents=True)
    (top / "tests/mutants").mkdir(parents=True)
    (top / "libpmu/inner/s.c").write_text(CODE)
    (top / "t.c").write_text(CHECK)
    (top / "meson.build").write_text(MESON)


def whole(top):
    """Yield (good, what) of runs over a sample tree."""
    grow(top)
    code, out = run(top, "--count", "100")
    got = states(top)
    notes = json.dumps({str(k): v["state"] for k, v in got.items()}) + out
    yield code == 1 and "LOW" in out, "survivors make it fail", notes
    yield (got["clamp", "relational", ">", "<="]["state"] == "killed",
           "what a test sees is killed", notes)
    yield (got["a_table", "table", "5", "6"]["state"] == "killed",
           "a row of a table is tested by who uses the file", notes)
    yield (got["late", "relational", "<", "<="]["state"] == "survived" and
           "libpmu/inner/s.c:11: " in out, "what no test sees survives", notes)
    yield (got["never", "arithmetic", "-", "+"]["state"] == "not executed",
           "what no test executes survives", notes)
    yield (got["clamp", "relational", ">", ">="]["state"] == "same code" and
           "4 that are the same code" in out,
           "what is the same to the optimizer does not count", notes)
    yield from resumed(top, got)
    (top / "t.c").write_text(CHECK.replace(
        "return !(", "extern int never(int);\n\treturn !(never(3) == 2 && "))
    code, out = run(top, "--again")
    got = states(top)
    yield (got["never", "arithmetic", "-", "+"]["state"] == "killed",
           "a new test kills what survived", out)
    left = [r["id"] for r in got.values() if r["state"] == "survived"]
    (top / "tests/mutants/equivalent.tsv").write_text(
        "".join(f"{n}\twhere\t9 is 9 either way\n" for n in left))
    code, out = run(top, "--again")
    yield (all(r["state"] != "survived" for r in states(top).values()) and
           " LOW" not in out, "what is excused is not counted", out)
    (top / "libpmu/inner/s.c").write_text("\n\n" + CODE)
    code, out = run(top, "--list")
    yield (all(n in out for n in left), "names outlive moved lines", out)
    (top / "libpmu/inner/s.c").write_text(CODE.replace("x < 100", "x < 99 + 1"))
    code, out = run(top, "--again")
    yield (code == 1 and "no mutant of this tree" in out,
           "an excuse for what has changed is refused", out)
    yield from patience(top)
    yield from far(top)
    yield from leak(top)
    yield from guest(top)


def resumed(top, whole_run):
    """A run that was stopped in the middle goes on as if it had not been."""
    path = top / "build-mutants/last.json"
    last = json.loads(path.read_text())
    half = last["results"][:len(last["results"]) // 2]
    for r in half:
        r["seconds"] = 4711
    path.write_text(json.dumps(last | {"results": half}))
    _, out = run(top, "--count", "100", "--resume")
    got = states(top)
    same = {k: v["state"] for k, v in got.items()} == {
        k: v["state"] for k, v in whole_run.items()}
    again = sum(r["seconds"] != 4711 for r in got.values())
    yield (same and again == len(got) - len(half) > 0,
           "a run that was stopped goes on", out)
    code, out = run(top, "--count", "100", "--resume", "--seed", "2")
    yield (code == 1 and "no run of seed 2 was stopped" in out,
           "another seed does not", out)
    (top / "t.c").write_text(CHECK + "\n")
    (top / "libpmu/inner/s.c").write_text(CODE.replace("100", "101"))
    code, out = run(top, "--count", "100", "--resume")
    yield (code == 1 and "are others than" in out,
           "nor one of other code", out)
    (top / "t.c").write_text(CHECK)
    (top / "libpmu/inner/s.c").write_text(CODE)


def patience(top):
    """The same for --patience: the slow of two tests knows more."""
    (top / "libpmu/inner/s.c").write_text(CODE)
    (top / "tests/mutants/equivalent.tsv").unlink()
    (top / "slow.c").write_text(SLOW)
    (top / "meson.build").write_text(MESON + MESON_SLOW)
    for seconds, want, why in [
            ("0", "survived", "a slow test is not waited for"),
            ("60", "killed", "a patient run asks it, too")]:
        _, out = run(top, "--patience", seconds)
        got = states(top)["late", "relational", "<", "<="]["state"]
        yield got == want, why, got + out


def far(top):
    """A script's program is in none of its test's arguments."""
    (top / "far.c").write_text(SLOW.replace("usleep(500000)", "0"))
    (top / "far.sh").write_text(FAR)
    (top / "far.sh").chmod(0o755)
    (top / "meson.build").write_text(MESON + MESON_FAR)
    _, out = run(top, "--count", "100")
    r = states(top)["late", "relational", "<", "<="]
    yield (r["state"] == "killed" and r["by"] == "far",
           "a program that a script starts has the mutant, too",
           json.dumps(r) + out)


def leak(top):
    """What no test of its own sees, and no exit status but a sanitizer's."""
    (top / "libpmu/inner/s.c").write_text(KEEPS)
    (top / "far.c").write_text(LEAK)
    (top / "meson.build").write_text(
        MESON.split("test(", maxsplit=1)[0] + MESON_FAR)
    _, out = run(top, "--count", "100")
    r = states(top)["keep", "deletion", "free(p)", ""]
    yield (r["state"] == "killed" and r["by"] == "far, sanitized",
           "what leaks is noticed under sanitizers", json.dumps(r) + out)


def guest(top):
    """What a compiler of its own makes, and a test that has no part of it."""
    (top / "guest").mkdir()
    (top / "guest/main.c").write_text(MAIN)
    (top / "guest/twice.c").write_text(TWICE)
    (top / "guest/twice.h").write_text("#define FACTOR 2\n")
    (top / "meson.build").write_text(
        MESON.split("test(", maxsplit=1)[0] + MESON_GUEST)
    _, out = run(top, "--folder", "guest", "--count", "100")
    r = states(top).get(("twice", "arithmetic", "*", "/"), {})
    yield (r.get("state") == "killed" and r["by"] == "guest",
           "a guest has its mutants", json.dumps(r) + out)
    yield ("coverage 1/1 guest" in out and "other" not in out,
           "tests that have nothing of a folder are not run for it", out)
    (top / "meson.build").write_text(MESON.split("test(", maxsplit=1)[0])
    code, out = run(top, "--folder", "guest", "--count", "100")
    yield (code == 1 and "guest: no mutant of it builds" in out,
           "a folder that nothing is made of makes it fail", out)


def main():
    results = []
    for why, body, want in BODIES:
        got = mutants_of("int function(int a)\n{\n\t" + body + "\n}\n")
        results.append((got == sorted(want), why, str(got)))
    for why, text, want in FILES:
        got = mutants_of(text)
        results.append((got == sorted(want), why, str(got)))
    with tempfile.TemporaryDirectory() as name:
        results += [*tree(), *whole(pathlib.Path(name))]
    tap = asserted.Results()
    for good, why, notes in results:
        tap.add(good, why, [] if good else notes.splitlines())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
