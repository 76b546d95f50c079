# SPDX-License-Identifier: BSD-2-Clause
"""Programs that a test starts, and how a test ends that has threads.

A test's daemon must not outlive the test, whatever ends it: it would hold the
pipe that meson reads, and meson would wait for it.
"""
import os
import signal
import subprocess
import sys

# What a test starts can be interrupted by it, also where the tests themselves
# run in the background of a script or under nohup, which ignores these.
signal.signal(signal.SIGINT, signal.default_int_handler)
for _number in (signal.SIGHUP, signal.SIGQUIT):
    signal.signal(_number, signal.SIG_DFL)

# The kernel kills what follows when the test's process is gone.
WITH_US = ["setpriv", "--pdeathsig", "KILL", "--"]


def start(command, **more):
    """Popen for a program that lives no longer than this process."""
    return subprocess.Popen([*WITH_US, *command], **more)


def as_user(name, command):
    """The command line that runs a command as another user, given root.

    No user= of subprocess: that one forks, and gRPC's threads, told of the
    fork, may wait for each other without end.
    """
    return ["setpriv", "--reuid", name, "--regid", "nogroup", "--clear-groups",
            "--", *command]


def leave(failed):
    """End at once, whatever threads still do, with all that was printed."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1 if failed else 0)
