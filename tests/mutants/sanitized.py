# SPDX-License-Identifier: BSD-2-Clause
"""Whether a test notices a mutant under sanitizers, as scripts/test runs it:
what leaks, or reads behind an array, does so in silence elsewhere. Of pmud and
its machines valgrind, which is for the programs of unit tests, sees nothing.
"""
import pathlib
import shutil
import tempfile

from builds import Build
from running import Runner, listed

OPTIONS = ["-Db_sanitize=address,undefined", "-Dc_args=-O1"]


class Sanitized:
    """A build of its own, made when the first mutant has survived."""

    def __init__(self, top, path):
        self.build = Build(top, path, OPTIONS)
        supp = pathlib.Path(top, "tests/lsan.supp")
        self.runner = Runner(self.build, {
            "UBSAN_OPTIONS": "halt_on_error=1",
            "LSAN_OPTIONS": f'suppressions="{supp}":print_suppressions=0'})
        self.tests = {t.name: t for t in listed(self.build.tests())}
        self.clean = {}

    def _runs_clean(self, name):
        if name not in self.clean:
            self.clean[name] = self.runner.run(self.tests[name]).good
        return self.clean[name]

    def killer(self, m, mutated, names):
        """Return the first of the tests that notices it, or None."""
        names = [n for n in names if n in self.tests and self._runs_clean(n)]
        into = pathlib.Path(tempfile.mkdtemp(prefix="obj",
                                             dir=self.build.path))
        touched = set()
        try:
            made = self.build.compile(m.path, mutated, into)
            for name in names if made else ():
                for program in self.build.programs(
                        self.tests[name].program) - touched:
                    if set(made) & self.build.objects(program):
                        touched.add(program)
                        if not self.build.link(program, made, into):
                            return None
                if not self.runner.run(self.tests[name]).good:
                    return name
        finally:
            for program in touched:
                self.build.restore(program)
            shutil.rmtree(into, ignore_errors=True)
        return None
