# SPDX-License-Identifier: BSD-2-Clause
"""A meson build, taken apart: how one object is compiled and what links it."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess

OPTIONS = ["-Dbuildtype=plain", "-Dwerror=false"]


def _quiet(args, **more):
    done = subprocess.run(args, capture_output=True, text=True, check=False,
                          **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, args))}: exit "
                           f"{done.returncode}\n{done.stdout[-3000:]}"
                           f"{done.stderr[-3000:]}")
    return done.stdout


class Build:
    """One build directory. Programs are linked in place and put back."""

    def __init__(self, top, path, options=()):
        self.top, self.path = pathlib.Path(top), pathlib.Path(path)
        made_with = self.path / "made-with.json"
        wanted = json.dumps([*OPTIONS, *options])
        if not made_with.exists() or made_with.read_text() != wanted:
            shutil.rmtree(self.path, ignore_errors=True)
            _quiet(["meson", "setup", str(self.path), *OPTIONS, *options],
                   cwd=self.top)
            made_with.write_text(wanted)
        for kept in self.path.rglob("*.kept"):  # of an interrupted run
            os.replace(kept, kept.with_suffix(""))
        # later mesons leave what only tests need out of all
        _quiet(["ninja", "-C", str(self.path), "all", "meson-test-prereq"])
        self._read()

    def _rule(self, name):
        return json.loads(_quiet(["ninja", "-t", "compdb", "-x", name],
                                 cwd=self.path))

    def _source(self, word):
        """Return a word of a command as a path in the tree."""
        return os.path.relpath(self.path / word, self.top)

    def _read(self):
        self.compiles, self.archives, self.links = {}, {}, {}
        self.guests, self.needs = {}, None
        for entry in self._rule("c_COMPILER"):
            self.compiles.setdefault(self._source(entry["file"]), []).append(
                (entry["output"], shlex.split(entry["command"])))
        for entry in self._rule("STATIC_LINKER"):
            words = shlex.split(entry["command"])
            self.archives[entry["output"]] = [
                w for w in words if w.endswith(".o")]
        for entry in self._rule("c_LINKER"):
            self.links[entry["output"]] = shlex.split(entry["command"])
        for entry in self._rule("CUSTOM_COMMAND"):
            self._read_guest(entry["output"], shlex.split(entry["command"]))

    def _read_guest(self, output, words):
        """A guest is made of its sources at once, by a compiler of its own:
        it is its one object, and a program."""
        sources = [w for w in words if w.endswith(".c")]
        if words[-2:] != ["-o", output] or not sources:
            return
        self.guests[output] = words[:-2]
        for word in sources:
            self.compiles.setdefault(self._source(word), []).append(
                (output, words[:-2]))

    def _introspect(self, what):
        return json.loads(_quiet(["meson", "introspect", what,
                                  str(self.path)]))

    def tests(self):
        """Return {name: (command, environment, suites)} of meson's tests."""
        found = {}
        for t in self._introspect("--tests"):
            suites = {s.split(":")[-1] for s in t["suite"]}
            found[t["name"]] = (t["cmd"], t["env"], suites)
        return found

    def objects(self, program):
        """Return the objects that a program is linked of."""
        if program in self.guests:
            return {program}
        found = set()
        for word in self.links[program]:
            if word.endswith(".o"):
                found.add(word)
            found |= set(self.archives.get(word, ()))
        return found

    def _needs(self):
        """Return {test: the files of this build that it depends on}: those
        of its command, and what meson.build says that it starts."""
        made = {t["id"]: t["filename"] for t in self._introspect("--targets")}
        return {t["name"]: {os.path.relpath(self.path / word, self.path)
                            for word in [*t["cmd"],
                                         *(f for n in t["depends"]
                                           for f in made.get(n, ()))]}
                for t in self._introspect("--tests")}

    def programs(self, test):
        """Return the programs of this build that one of its tests, by name,
        starts, and those that they start."""
        if self.needs is None:
            self.needs = self._needs()
        found = self.needs[test] & (set(self.links) | set(self.guests))
        for program, started in (("cli/pmuctl", "daemon/pmud"),
                                 ("daemon/pmud",
                                  "daemon/machine/pmud-machine")):
            if program in found and started in self.links:
                found.add(started)
        return found

    def _command(self, source, made, path, obj):
        """Return how an object, @made of @compiles, is made of the text at
        another path."""
        output, words = made
        quiet = ["-w", "-iquote", os.path.dirname(self.top / source), "-o",
                 str(obj)]
        if output in self.guests:
            return [*(str(path) if self._source(w) == source else w
                      for w in words), *quiet]
        words = [w for w in words if w != "ccache"]
        return [*words[:words.index("-MD")], *quiet, "-c", str(path)]

    def _make(self, source, made, path, obj, change=lambda words: words):
        """Return whether it could be made."""
        return not subprocess.run(
            change(self._command(source, made, path, obj)), cwd=self.path,
            check=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL).returncode

    def same(self, source, text, other, into):
        """Are both the same program to the optimizer?"""
        def optimized(words):
            return [*(w for w in words if w != "-O0" and
                      not w.startswith("-fsanitize")), "-O2"]

        path = into / pathlib.Path(source).name  # as assert() prints it
        for made in self.compiles[source]:
            objects = []
            for number, one in enumerate((text, other)):
                path.write_text(one)
                obj = into / f"same{number}.o"
                if not self._make(source, made, path, obj, optimized):
                    return False
                objects.append(obj.read_bytes())
            if objects[0] != objects[1]:
                return False
        return True

    def compile(self, source, text, into):
        """Compile text in place of source; return {object: the new one}, or
        None if it does not compile."""
        made = {}
        path = into / pathlib.Path(source).name
        path.write_text(text)
        for n, one in enumerate(self.compiles[source]):
            obj = into / f"{n}.o"
            if not self._make(source, one, path, obj):
                return None
            made[one[0]] = str(obj)
        return made

    def link(self, program, made, into):
        """Link a program anew with the objects in made, in its place."""
        at = self.path / program
        kept = at.with_name(at.name + ".kept")
        if program in self.guests:
            if not kept.exists():
                os.rename(at, kept)
            shutil.copy(made[program], at)
            return True
        words = []
        for word in self.links[program]:
            members = self.archives.get(word, ())
            if any(m in made for m in members):
                new = into / os.path.basename(word)
                if not new.exists():
                    subprocess.run(
                        ["ar", "csrDT", str(new),
                         *(str(self.path / made.get(m, m)) for m in members)],
                        check=True)
                word = str(new)
            words.append(made.get(word, word))
        if not kept.exists():
            os.rename(at, kept)
        return subprocess.run(words, cwd=self.path, check=False,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def restore(self, program):
        at = self.path / program
        kept = at.with_name(at.name + ".kept")
        if kept.exists():
            os.replace(kept, at)
