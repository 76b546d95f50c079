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
        _quiet(["ninja", "-C", str(self.path)])
        self._read()

    def _rule(self, name):
        return json.loads(_quiet(["ninja", "-t", "compdb", "-x", name],
                                 cwd=self.path))

    def _read(self):
        self.compiles, self.archives, self.links = {}, {}, {}
        self.needs = None
        for entry in self._rule("c_COMPILER"):
            source = os.path.relpath(self.path / entry["file"], self.top)
            self.compiles.setdefault(source, []).append(
                (entry["output"], shlex.split(entry["command"])))
        for entry in self._rule("STATIC_LINKER"):
            words = shlex.split(entry["command"])
            self.archives[entry["output"]] = [
                w for w in words if w.endswith(".o")]
        for entry in self._rule("c_LINKER"):
            self.links[entry["output"]] = shlex.split(entry["command"])

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
        found = self.needs[test] & set(self.links)
        for program, started in (("cli/pmuctl", "daemon/pmud"),
                                 ("daemon/pmud",
                                  "daemon/machine/pmud-machine")):
            if program in found and started in self.links:
                found.add(started)
        return found

    def same(self, source, text, other, into):
        """Are both the same program to the optimizer?"""
        made = []
        for number, one in enumerate((text, other)):
            path = into / pathlib.Path(source).name  # as assert() prints it
            path.write_text(one)
            _, words = self.compiles[source][0]
            words = [w for w in words if w not in ("ccache", "-O0") and
                     not w.startswith("-fsanitize")]
            obj = into / f"same{number}.o"
            words = [*words[:words.index("-MD")], "-O2", "-w", "-iquote",
                     os.path.dirname(self.top / source), "-o", str(obj),
                     "-c", str(path)]
            if subprocess.run(words, cwd=self.path, check=False,
                              stderr=subprocess.DEVNULL).returncode:
                return False
            made.append(obj.read_bytes())
        return made[0] == made[1]

    def compile(self, source, text, into):
        """Compile text in place of source; return {object: the new one}, or
        None if it does not compile."""
        made = {}
        path = into / pathlib.Path(source).name
        path.write_text(text)
        folder = os.path.dirname(self.top / source)
        for n, (output, words) in enumerate(self.compiles[source]):
            obj = into / f"{n}.o"
            words = [w for w in words if w != "ccache"]
            cut = words.index("-MD")
            words = [*words[:cut], "-w", "-iquote", folder, "-o", str(obj),
                     "-c", str(path)]
            if subprocess.run(words, cwd=self.path, check=False,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode:
                return None
            made[output] = str(obj)
        return made

    def link(self, program, made, into):
        """Link a program anew with the objects in made, in its place."""
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
        at = self.path / program
        kept = at.with_name(at.name + ".kept")
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
