# SPDX-License-Identifier: BSD-2-Clause
"""PMP: what its entries cost where memory is accessed and where it is mapped."""
import tempfile

from kernel import BOOT, LINUX, booted, staged
from table import Aim, table

KEY = "pmp-entries"
ENTRIES = ("0", "16", "64")
FORK = "fork and exec"
# The first has all its translations at once, the others fill many. An aim is of
# the time without PMP.
WORKS = {"memory": 1.02, BOOT: None, FORK: None}


def protection(rows):
    """A loop of loads and stores, and Linux, by the number of entries."""
    main = rows.main
    image = main.image("memory")
    with tempfile.TemporaryDirectory() as folder:
        initrd = {work: staged(folder, work, LINUX[work][1])
                  for work in (BOOT, FORK)}

        def once(entries, work):
            options = ("--set", f"{KEY}={entries}")
            if work == "memory":
                spent, _ = main.guest(image, *options)
            else:
                spent, _ = booted(main, initrd[work], options)
            rows.note(f"{KEY}={entries}", work, spent)

        rows.alternate(WORKS, ENTRIES, once)
    names = [f"{KEY}={entries}" for entries in ENTRIES]
    cells = []
    for work, limit in WORKS.items():
        none, *others = (rows.median(name, work) for name in names)
        cells.append([work, f"{none:.3f}",
                      *(f"{other / none:.3f}" for other in others),
                      Aim(limit).verdict(others[-1] / none) if limit else ""])
    table("PMP, seconds without, and of that with so many entries",
          ["work", names[0], *names[1:], f"aim, {names[-1]}"], cells)
