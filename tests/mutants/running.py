# SPDX-License-Identifier: BSD-2-Clause
"""Running one test, or a part of one, in a small world of its own.

A mutant may kill or write what it must not: every run has its own processes
(a kill of -1 ends nobody else's, and nothing outlives the run) and its own
folder for temporary files, and a limit of processor time.
"""
import ast
import collections
import multiprocessing.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

# A test as it is run: part is a function of a Python test, or None.
Test = collections.namedtuple("Test", "name program part check")
VALGRIND = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full",
            "--errors-for-leak-kinds=definite"]
Result = collections.namedtuple("Result", "good seconds why")

SUITES = {"unit", "engine", "machine", "fuzz-smoke", "e2e"}
# Needs programs of others, and shows nothing that the rest does not.
LEFT_OUT = {"compare-firmware", "compare-reference", "dt-dtc",
            "scripts-mutate"}


def _parts(script):
    """Return the functions that the shared runners can be told to run."""
    text = pathlib.Path(script).read_text()
    if "bench.main(" not in text and "harness.run(" not in text:
        return [None]
    return [n.name for n in ast.parse(text).body
            if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]


def listed(tests, suites=SUITES):
    """Return the Tests of a build's tests() that are in one of the suites."""
    found = []
    for name, (command, _, own) in sorted(tests.items()):
        if name in LEFT_OUT or not own & suites:
            continue
        script = next((w for w in command if w.endswith(".py")), None)
        for part in _parts(script) if script else [None]:
            found.append(Test(name if part is None else f"{name}/{part}",
                              name, part, script is None))
    return found


def _wrap():
    own = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid():
        own[1:1] = ["--user", "--map-root-user"]
    return own


class Runner:
    """Runs tests of one build."""

    def __init__(self, build, env=None):
        self.build, self.tests = build, build.tests()
        self.env = env or {}
        self.folder = tempfile.mkdtemp(prefix="mut")
        os.chmod(self.folder, 0o755)  # for tests that change their user
        # A pool's processes end without atexit and what hangs on it.
        multiprocessing.util.Finalize(None, self.close, exitpriority=1)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def under_valgrind(self, test, kept):
        """Run a Check program as scripts/test does, too; kept: as it was
        before it was linked with a mutant."""
        command, _, _ = self.tests[test.program]
        program = command[0]
        if kept and os.path.exists(program + ".kept"):
            program += ".kept"
        seconds = 300
        return self.run(test, False, seconds, 2 * seconds,
                        [*VALGRIND, program, *command[1:]])

    def run(self, test, fork=False, cpu=600, wall=1200, instead=None):
        """Run to the end or a limit; fork: Check's tests are processes."""
        command, env, _ = self.tests[test.program]
        command = instead or command
        env = os.environ | env | self.env | {"TMPDIR": self.folder}
        env.pop("CK_FORK", None)
        if test.check and not fork:
            env["CK_FORK"] = "no"
        if test.part:
            env["TESTS_ONLY"] = test.part
        words = ["prlimit", f"--cpu={cpu}", "--core=0", *_wrap(), "--",
                 *command]
        start = time.monotonic()
        with subprocess.Popen(
                words, cwd=self.build.path, env=env,
                stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL if test.check else subprocess.PIPE
                ) as process:
            try:
                out, _ = process.communicate(timeout=wall)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                out = None
        seconds = time.monotonic() - start
        self._clean()
        if out is None and not test.check:
            return Result(False, seconds, "time")
        if process.returncode == -9 and test.check and seconds >= wall:
            return Result(False, seconds, "time")
        if process.returncode:
            return Result(False, seconds, f"exit {process.returncode}")
        if out and any(line.startswith(b"not ok") for line in
                       out.splitlines()):
            return Result(False, seconds, "not ok")
        return Result(True, seconds, "")

    def _clean(self):
        for entry in os.scandir(self.folder):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                os.unlink(entry.path)


def calm():
    """Stop with a line where a run cannot have processes of its own."""
    done = subprocess.run([*_wrap(), "--", "true"], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        sys.exit("mutate: no process namespace to run mutants in: "
                 + done.stderr.strip())
