# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of scripts share: programs that are played, rows as TAP."""


def play(path, text):
    """Make a program that does what the lines say, and its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


def main(rows):
    """Run rows of why, function and its argument; print TAP.

    A function returns whether it was good, None for one that cannot run here,
    and what it saw, or why it cannot.
    """
    print(f"1..{len(rows)}")
    for number, (why, check, given) in enumerate(rows, 1):
        good, got = check(given)
        skipped = good is None
        print("ok" if good or skipped else "not ok", number, "-", why,
              *(["# SKIP", got] if skipped else []), flush=True)
        if not good and not skipped:
            print(f"# {got}".replace("\n", "\n# "))
