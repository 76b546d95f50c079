#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What scripts/mutate asks of a run: how many mutants, which share of them
killed, and how few excused; what does not build is not among them."""
import argparse
import concurrent.futures
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile

import checks

TOP = pathlib.Path(sys.argv[1]).resolve()
STRICT = ("libpmu", "firmware-model")


def script():
    loader = importlib.machinery.SourceFileLoader(
        "mutate", str(TOP / "scripts/mutate"))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


mutate = script()

# why, how many results of which state, in which folder, whether that is good,
# what is said
REPORTS = [
    ("5 of 100 excused", "cli", {"killed": 95, "equivalent": 5}, True, ""),
    ("6 of 100 excused", "cli", {"killed": 94, "equivalent": 6}, False,
     "more than 5 % are excused"),
    ("6 excused of 100 that build, and 100 that do not", "cli",
     {"killed": 94, "equivalent": 6, "no build": 100}, False,
     "more than 5 % are excused"),
    ("6 excused of 100, and 100 that are the same code", "cli",
     {"killed": 94, "equivalent": 6, "same code": 100}, False,
     "more than 5 % are excused"),
    ("a share is of those that are not excused", "cli",
     {"killed": 86, "survived": 9, "equivalent": 5}, True, " 90.5%"),
    ("a share is of those that build", "cli",
     {"killed": 90, "survived": 10, "no build": 1}, True,
     "not counted: 1 that do not build"),
    ("what does not build is no mutant that was killed", "cli",
     {"killed": 89, "survived": 11, "no build": 100}, False, " LOW"),
    ("nor is what is the same code", "cli",
     {"killed": 89, "survived": 11, "same code": 100}, False, " LOW"),
    ("what no test executes is not killed", "cli",
     {"killed": 89, "not executed": 11}, False, " LOW"),
    ("of a folder nothing builds", "cli", {"no build": 3}, False,
     "cli: no mutant of it builds"),
]


def report(folder, states):
    """Whether it is good, and what is printed."""
    results = [{"folder": folder, "state": state, "path": "a.c", "line": 1,
                "id": "x", "scope": "f", "kind": "bit", "old": "a", "new": "b"}
               for state, n in states.items() for _ in range(n)]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        good = mutate.report(None, results, {}, set())
    return good, out.getvalue()


def check_report(row):
    _, folder, states, want, said = row
    good, out = report(folder, states)
    return good == want and said in out, out


def check_share(folder):
    """A folder's share, and one mutant less."""
    wanted = 95 if folder in STRICT else 90
    got = [report(folder, {"killed": n, "survived": 100 - n})[0]
           for n in (wanted, wanted - 1)]
    return got == [True, False], got


def check_defaults(_):
    before, sys.argv = sys.argv, ["mutate"]
    try:
        args = mutate.arguments()
    finally:
        sys.argv = before
    return checks.same(((args.count, args.patience, args.only),
                        (600, float("inf"), None)))


class Pool:
    """Has the state of each mutant at once."""

    @staticmethod
    def submit(_, m):
        done = concurrent.futures.Future()
        done.set_result((m.new, "", 0))
        return done


def check_replaced(given):
    """Two are wanted: so many are tried until two count."""
    states, wanted = given
    mutants = [mutate.source.Mutant(*[
        {"id": str(n), "new": state, "line": n}.get(field, "x")
        for field in mutate.source.Mutant._fields])
               for n, state in enumerate(states)]
    with tempfile.TemporaryDirectory() as folder:
        run = mutate.Run(argparse.Namespace(
            top=pathlib.Path(folder), build=pathlib.Path(folder), jobs=1,
            verbose=False, again=False, only=None, seed="1"),
            {"cli": mutants})
        with contextlib.redirect_stdout(io.StringIO()):
            run._drive(Pool, {"cli": (mutants, 2)})
    got = [state for _, _, state, _, _ in run.results.values()]
    return checks.same((sorted(got), sorted(states[:wanted])))


CHECKS = [
    *((row[0], check_report, row) for row in REPORTS),
    *((f"what {folder} must have killed", check_share, folder)
      for folder in mutate.FOLDERS),
    ("how many are drawn, and all are waited for", check_defaults, None),
    ("two that build are two", check_replaced,
     (["killed", "survived", "killed"], 2)),
    ("another is drawn for one that does not build", check_replaced,
     (["killed", "no build", "survived", "killed"], 3)),
    ("and for one that is the same code", check_replaced,
     (["same code", "no build", "survived", "killed", "killed"], 4)),
]

if __name__ == "__main__":
    checks.main(CHECKS)
