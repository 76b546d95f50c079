#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""tests/asserted.py: a test that asserts nothing has failed."""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import threading

TESTS = pathlib.Path(sys.argv[1]) / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "lint")]
import asserted  # noqa: E402 - found by the line above
import checks  # noqa: E402 - beside this file
import common  # noqa: E402 - found by the same line


def same(got, want):
    if got != want:
        raise AssertionError(f"{got!r} is not {want!r}")


def empty():
    sum([])


def asserts():
    assert (
        1 ==
        1
    )


def asserts_nothing_it_loops_over():
    for i in []:
        assert i


def compares():
    same(1, 1)


def asserts_elsewhere():
    other = threading.Thread(target=asserts)
    other.start()
    other.join()


def runs():
    subprocess.run(["true"],
                   check=True)


def runs_whatever_comes():
    subprocess.run(["true"], check=False)


def raises():
    if not sys.argv:
        raise ValueError("in other files this would be no test")


# why, the test, whether it has asserted something
ROWS = [
    ("nothing at all", empty, False),
    ("an assertion over lines", asserts, True),
    ("a loop over nothing", asserts_nothing_it_loops_over, False),
    ("a function that would raise", compares, True),
    ("an assertion of another thread", asserts_elsewhere, True),
    ("an exit code that is checked", runs, True),
    ("an exit code that is not", runs_whatever_comes, False),
    ("an if that would raise", raises, True),
]


def results(*added):
    """A run that has these results."""
    def run(_):
        tap = asserted.Results()
        for compared in added:
            tap.add(True, "good", compared=compared)
        return tap.done()
    return run


def row(check):
    """A row of tests/scripts."""
    return lambda _: checks.main([("a row", check, None)])


def lint(check):
    """A lint without samples, of a tree in which one file is."""
    return lambda _: common.main(check, [])


def finds_nothing(root):
    del root
    return []


def looks_for(suffix):
    return lambda root: [f"{p}: empty" for p in common.files(root, suffix)
                         if not p.stat().st_size]


# why, what runs in a folder, its exit status
RUNS = [
    ("a good result", results(1), 0),
    ("no result", results(), 1),
    ("a good one of nothing compared", results(2, 0), 1),
    ("a row that compares", row(lambda _: (sys.argv != [], "")), 0),
    ("a row that is good whatever comes", row(lambda _: (True, "")), 1),
    ("a lint that looks at a file", lint(looks_for(".c")), 0),
    ("a lint that looks at no file", lint(finds_nothing), 1),
    ("a lint for which there is none", lint(looks_for(".h")), 1),
]


def status(run):
    """The exit status of one of RUNS, and what it prints."""
    out, before = io.StringIO(), sys.argv
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "a.c").write_text("int x;\n")
        sys.argv = ["", folder]
        try:
            with contextlib.redirect_stdout(out):
                return run(folder), out.getvalue()
        except SystemExit as end:
            return end.code, out.getvalue()
        finally:
            sys.argv = before


def exits(given):
    run, want = given
    code, out = status(run)
    return code == want and ("not ok" in out) == bool(want), out


def counted(test):
    try:
        with asserted.demanded():
            test()
    except AssertionError:
        return False
    return True


def main():
    """Not by what is tested: results of its own, and a plan of them."""
    every = [(why, counted(test) == want, "") for why, test, want in ROWS]
    every += [(why, *exits(given)) for why, *given in RUNS]
    print(f"1..{len(every)}")
    for number, (why, good, out) in enumerate(every, 1):
        print(f"{'ok' if good else 'not ok'} {number} - {why}")
        for line in [] if good else out.splitlines():
            print("#", line)
    return not all(good for _, good, _ in every)


if __name__ == "__main__":
    sys.exit(main())
