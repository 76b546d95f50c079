# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of scripts share: programs that are played, rows as TAP."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above


def play(path, text):
    """Make a program that does what the lines say, and its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


def same(given):
    """Are the two the same?"""
    got, want = given
    return got == want, f"wanted {want}\ngot {got}"


def compared(check, given):
    """What the check returns, if it compared something, or cannot run."""
    found = None
    try:
        with asserted.demanded(asserted.comparison):
            found = check(given)
    except AssertionError as why:
        if found is None or found[0] is not None:
            return False, str(why)
    return found


def main(rows):
    """Run rows of why, function and its argument; print TAP, end with its
    status.

    A function returns whether it was good, None for one that cannot run here,
    and what it saw, or why it cannot. One that compares nothing has failed.
    """
    results = asserted.Results()
    for why, check, given in rows:
        good, got = compared(check, given)
        if good is None:
            results.skip(why, got)
        else:
            results.add(good, why, [] if good else str(got).splitlines())
    sys.exit(results.done())
