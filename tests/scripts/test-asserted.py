#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""tests/asserted.py: a test that asserts nothing has failed."""
import pathlib
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tests"))
import asserted  # noqa: E402 - found by the line above


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


def counted(test):
    try:
        with asserted.demanded():
            test()
    except AssertionError:
        return False
    return True


def main():
    print(f"1..{len(ROWS)}")
    failed = 0
    for number, (why, test, want) in enumerate(ROWS, 1):
        good = counted(test) == want
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - {why}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
