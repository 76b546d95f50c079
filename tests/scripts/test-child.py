#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""tests/child.py: no daemon outlives its test, no result is lost at its end."""
import grp
import os
import pathlib
import pwd
import select
import subprocess
import sys

import checks

TESTS = str(pathlib.Path(sys.argv[1]).resolve() / "tests")
HEAD = f"import sys; sys.path.insert(0, {TESTS!r}); import child\n"
PATIENCE = 30			# seconds until a thing counts as not coming

# why, what the test does, the wanted output and exit status
ENDS = [
    ("all that was printed comes, and success", "child.leave(False)",
     b"ok 1\n", 0),
    ("all that was printed comes, and failure", "child.leave(True)",
     b"ok 1\n", 1),
    ("a thread that never ends is not waited for",
     "import threading, time\n"
     "threading.Thread(target=time.sleep, args=(3600,)).start()\n"
     "child.leave(False)", b"ok 1\n", 0),
]


def python(code, **more):
    """A test program on a pipe, in an environment that sets nothing."""
    return subprocess.Popen([sys.executable, "-B", "-c", HEAD + code],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            env={}, **more)


def check_end(row):
    _, code, want, status = row
    test = python("print('ok 1')\n" + code)
    out, _ = test.communicate(timeout=PATIENCE)
    return out == want and test.returncode == status, (out, test.returncode)


def pipe_closes(test):
    """Whether all holders of the test's pipe go away."""
    ready, _, _ = select.select([test.stdout], [], [], PATIENCE)
    return bool(ready) and not test.stdout.read(1)


def check_killed(_):
    """A killed test's child is gone, too, and with it the pipe."""
    test = python("c = child.start(['sh', '-c', 'echo; exec sleep 3600'],"
                  " env={'PATH': '/usr/bin:/bin'})\nc.wait()")
    assert test.stdout.read(1) == b"\n"
    test.kill()
    test.wait()
    closed = pipe_closes(test)
    return closed, "the child holds the pipe"


def check_user(_):
    """setpriv changes the user before the program is there."""
    if os.getuid():
        return None, "it takes root to be another user"
    code = ("import subprocess\n"
            "sys.exit(subprocess.run(child.as_user('nobody', ['sh', '-c',"
            " 'id -u; id -G'])).returncode)")
    test = python(code, cwd="/")
    out, _ = test.communicate(timeout=PATIENCE)
    nobody = pwd.getpwnam("nobody")
    want = f"{nobody.pw_uid}\n{grp.getgrnam('nogroup').gr_gid}\n".encode()
    return (out, test.returncode) == (want, 0), (out, test.returncode)


CHECKS = [(row[0], check_end, row) for row in ENDS]
CHECKS.append(("a killed test leaves nothing that holds its pipe",
               check_killed, None))
CHECKS.append(("a command of another user runs as that user, in no other group",
               check_user, None))


if __name__ == "__main__":
    checks.main(CHECKS)
