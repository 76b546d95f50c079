#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""tests/child.py: no daemon outlives its test, no result is lost at its end."""
import pathlib
import select
import subprocess
import sys

TESTS = str(pathlib.Path(sys.argv[1]) / "tests")
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


CHECKS = [(row[0], check_end, row) for row in ENDS]
CHECKS.append(("a killed test leaves nothing that holds its pipe",
               check_killed, None))


def main():
    print(f"1..{len(CHECKS)}")
    for number, (why, check, row) in enumerate(CHECKS, 1):
        good, got = check(row)
        print(f"{'ok' if good else 'not ok'} {number} - {why}", flush=True)
        if not good:
            print(f"# {got}")


if __name__ == "__main__":
    main()
