# SPDX-License-Identifier: BSD-2-Clause
"""A terminal for what a test starts, and all that is shown there.

Who reads keeps the program's side open until the program has ended: the kernel
may drop what was written just before the last one closes it (seen once in some
thousand runs, on 6.18).
"""
import fcntl
import os
import pty
import select
import struct
import termios

WIDTH, HEIGHT = 80, 24


class Terminal:
    """One side is read (and typed at) by the test; .slave is the program's."""

    def __init__(self, width=WIDTH, height=HEIGHT):
        self.master, self.slave = pty.openpty()
        os.set_blocking(self.master, False)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ,
                    struct.pack("4H", height, width, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.master)
        os.close(self.slave)

    def _ready(self):
        found = b""
        try:
            while True:
                found += os.read(self.master, 1 << 16)
        except BlockingIOError:
            return found

    def read(self, run):
        """What is shown next; nothing if the process has ended and showed all."""
        ended = os.pidfd_open(run.pid) if run.returncode is None else None
        try:
            while True:
                over = run.returncode is not None
                if not over:
                    over = ended in select.select([self.master, ended], [], [])[0]
                found = self._ready()
                if found or over:
                    return found
        finally:
            if ended is not None:
                os.close(ended)

    def read_until(self, run, wanted):
        """What is shown up to the bytes @wanted, and perhaps a little more."""
        shown = b""
        while wanted not in shown:
            more = self.read(run)
            if not more:
                raise AssertionError(f"ended without {wanted!r}: {shown!r}")
            shown += more
        return shown

    def rest(self, run):
        """All that is shown until the process ends; it is not waited for."""
        shown = b""
        while more := self.read(run):
            shown += more
        return shown
