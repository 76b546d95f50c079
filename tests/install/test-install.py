#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What meson install gives is complete and can be used by a stranger.

usage: test-install.py BUILD-DIRECTORY SOURCE-DIRECTORY PREFIX LIBDIR CC

Installs into an empty directory, looks for every file that must be there, and
builds small programs against the libraries as installed: by pkg-config alone,
each header by itself, run with the shared library found by its soname.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

BUILD, SOURCE = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
PREFIX, LIBDIR = sys.argv[3:5]
CC = sys.argv[5:]
HERE = pathlib.Path(__file__).resolve().parent

# library: header directory, what exported names begin with, its soname's number
LIBRARIES = {
    "pmu": ("pmu", ("pmu_",), 0),
    "pmuclient": ("pmuclient", ("pmuclient_", "pmu__v1__"), 1),
}
FILES = [
    "bin/pmud", "bin/pmuctl", "libexec/pmud/pmud-machine",
    "lib/systemd/system/pmud.service", "lib/systemd/system/pmud.socket",
    "lib/systemd/user/pmud.service", "lib/systemd/user/pmud.socket",
    "lib/sysusers.d/pmud.conf", "lib/tmpfiles.d/pmud.conf",
    "share/bash-completion/completions/pmuctl",
    "share/zsh/site-functions/_pmuctl",
    "share/fish/vendor_completions.d/pmuctl.fish",
    "share/pmud/guest/ebb.h", "share/pmud/guest/ebb.c",
    "share/pmud/guest/ebb-entry.S",
    "share/man/man1/pmuctl.1", "share/man/man8/pmud.8",
    "share/man/man3/libpmu.3", "share/man/man3/libpmuclient.3",
]


def run(*command, **more):
    return subprocess.run([str(c) for c in command], check=True, text=True,
                          capture_output=True, **more).stdout


class Installed:
    """The tree below DESTDIR."""

    def __init__(self, directory):
        self.dest = pathlib.Path(directory)
        run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet",
            "--destdir", self.dest)
        self.prefix = self.dest / PREFIX.lstrip("/")
        self.libdir = self.prefix / LIBDIR
        self.work = self.dest / "work"
        self.work.mkdir()

    def flags(self, package, *wanted):
        env = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=str(self.dest),
                   PKG_CONFIG_PATH=str(self.libdir / "pkgconfig"))
        return run("pkg-config", *wanted, package, env=env).split()

    def compile(self, name, source, *flags):
        path = self.work / f"{name}.c"
        path.write_text(source)
        run(*CC, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", path,
            "-o", self.work / name, *flags)
        return self.work / name


def files_are_there(installed):
    pages = [f"share/man/man{p.stem[-1]}/{p.stem}"
             for p in (SOURCE / "docs/man").glob("*.scd")]
    protocol = [f"share/pmud/{p.relative_to(SOURCE)}"
                for p in (SOURCE / "proto/pmu/v1").glob("*.proto")]
    assert protocol, "no protocol in the tree"
    missing = [f for f in FILES + pages + protocol
               if not (installed.prefix / f).is_file()]
    assert not missing, "not installed: " + ", ".join(missing)


def nothing_of_the_build(installed):
    """No text or script that is installed names the build's directories."""
    for path in installed.prefix.rglob("*"):
        if path.is_file() and b"\0" not in path.read_bytes():
            text = path.read_text()
            for known in (str(BUILD), str(SOURCE), str(installed.dest)):
                assert known not in text, f"{path} names {known}"


def programs_need_no_tree(installed):
    for name in FILES[:3]:
        out = run("readelf", "-d", installed.prefix / name)
        assert not re.search("R(UN)?PATH", out), f"{name} has a run path"


def spin(installed, prefix):
    """Run a guest of one jump with the programs below prefix; the outcome."""
    image = installed.work / "spin.bin"
    image.write_bytes(b"\x6f\0\0\0")	# j .
    env = {"PATH": "/usr/bin:/bin", "TMPDIR": str(installed.work)}
    return subprocess.run(
        [prefix / "bin/pmuctl", "run", "-a", "private", "--mode", "m",
         "--max-insns", "100", "--flat", "0x80000000", image],
        env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        timeout=60)


def programs_find_each_other(installed):
    """Below DESTDIR, and in a tree that was moved over a path with a space."""
    done = spin(installed, installed.prefix)
    assert done.returncode == 124, f"below DESTDIR: {done}"
    moved = installed.work / "another place" / "tree"
    moved.parent.mkdir()
    installed.prefix.rename(moved)
    try:
        done = spin(installed, moved)
        assert done.returncode == 124, f"moved: {done}"
        # it was the one in this tree
        machine = moved / FILES[2]
        machine.rename(machine.with_name("away"))
        done = spin(installed, moved)
        assert done.returncode != 124 and "pmud-machine" in done.stderr, \
            f"of another tree: {done}"
        machine.with_name("away").rename(machine)
    finally:
        moved.rename(installed.prefix)


def library_is_versioned(installed, lib):
    real = [p for p in installed.libdir.glob(f"lib{lib}.so.*.*.*")]
    assert len(real) == 1, f"{len(real)} lib{lib}.so.X.Y.Z"
    soname = re.search(r"SONAME.*\[(.*)\]", run("readelf", "-d", real[0]))
    assert soname[1] == f"lib{lib}.so.{LIBRARIES[lib][2]}", soname[1]
    for link in (soname[1], f"lib{lib}.so"):
        assert (installed.libdir / link).resolve() == real[0].resolve(), link
    return real[0]


def library_exports_its_own(installed, lib):
    real = library_is_versioned(installed, lib)
    names = [line.split()[-1].split("@")[0] for line in
             run("nm", "-D", "--defined-only", real).splitlines()
             if " A " not in line]
    odd = [n for n in names if not n.startswith(LIBRARIES[lib][1])]
    assert names and not odd, f"exports {odd or 'nothing'}"


def client_exports_what_is_declared(installed):
    """Each name in the version that client/libpmuclient.map has it in."""
    real = library_is_versioned(installed, "pmuclient")
    text = (SOURCE / "client/libpmuclient.map").read_text()
    listed = {name: version for version, names in
              re.findall(r"^(\w+\.\d+) \{(.*?)^\}", text, re.M | re.S)
              for name in re.findall(r"^\t(\w+);$", names, re.M)}
    assert len(listed) > 100, listed
    last = re.findall(r"^(\w+)\.(\d+) \{", text, re.M)[-1]
    exported = {}
    for line in run("nm", "-D", "--defined-only", real).splitlines():
        if " A " not in line:
            name, _, version = line.split()[-1].partition("@@")
            exported[name] = version
    declared = set()
    for header in (installed.prefix / "include").glob("pmuclient/*.h"):
        text = re.sub(r"/\*.*?\*/|typedef.*?;", "", header.read_text(),
                      flags=re.S)
        declared |= set(re.findall(r"\b(pmuclient_\w+)\(", text))
    for header in (installed.prefix / "include/pmu/v1").glob("*.pb-c.h"):
        declared |= set(re.findall(r"^extern const Protobuf\w+\s+(\w+);",
                                   header.read_text(), re.M))
    odd = declared ^ set(exported)
    assert not odd, f"exported or declared, not both: {sorted(odd)}"
    new = f"{last[0]}.{int(last[1]) + 1}"
    odd = {name: version for name, version in exported.items()
           if version != listed.get(name, new)}
    assert not odd, f"in another version than it was: {odd}"


def headers_stand_alone(installed, lib):
    folder = LIBRARIES[lib][0]
    headers = sorted((installed.prefix / "include" / folder).glob("*.h"))
    assert headers, "no headers"
    flags = installed.flags(f"lib{lib}", "--cflags")
    for header in headers:
        installed.compile("header", f"#include <{folder}/{header.name}>\n"
                          "int x;\n", "-c", *flags)


def manual_names_all_headers(installed):
    page = (installed.prefix / "share/man/man3/libpmu.3").read_text()
    page = page.replace("\\&", "")
    for header in (installed.prefix / "include/pmu").glob("*.h"):
        assert f"pmu/{header.name}" in page, header.name


def consumer_runs(installed, lib):
    source = (HERE / f"use-{lib}.c").read_text()
    flags = installed.flags(f"lib{lib}", "--cflags", "--libs")
    program = installed.compile(f"use-{lib}", source, *flags)
    env = dict(os.environ, LD_LIBRARY_PATH=str(installed.libdir))
    run(program, env=env)
    assert f"[lib{lib}.so." in run("readelf", "-d", program), "not linked to"


# ISA: how its programs are compiled, how its machine is made
ISAS = {
    "RV64": (["-march=rv64imac_zicsr", "-mabi=lp64"], []),
    "RV32": (["-march=rv32imac_zicsr", "-mabi=ilp32"],
             ["--set", "xlen=32"]),
}


def guest_library_runs(installed, isa):
    """A program of what is installed, compiled and run by that alone."""
    flags, options = ISAS[isa]
    share = installed.prefix / "share/pmud"
    elf = installed.work / "use-ebb.elf"
    run("riscv64-unknown-elf-gcc", *flags, "-O2", "-Wall", "-Wextra",
        "-Werror", "-ffreestanding", "-nostdlib", "-nostartfiles", "-mno-relax",
        "-mcmodel=medany", "-Wl,--no-relax", "-Wl,-Ttext-segment=0x80000000",
        "-Wl,--build-id=none", "-I", share, HERE / "use-ebb.c",
        share / "guest/ebb.c", share / "guest/ebb-entry.S", "-o", elf)
    done = subprocess.run(
        [installed.prefix / "bin/pmuctl", "run", "-a", "private", "--mode", "m",
         "--set", "xpmuebb=on", *options, "--max-insns", "1M", elf],
        env={"PATH": "/usr/bin:/bin", "TMPDIR": str(installed.work)},
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    assert done.returncode == 0, f"{isa}: {done}"


def tests():
    yield "every file is there", files_are_there
    yield "no text names the build's directories", nothing_of_the_build
    yield "programs have no run path", programs_need_no_tree
    yield "programs find each other, wherever they are", \
        programs_find_each_other
    yield "libpmuclient: it exports what is declared", \
        client_exports_what_is_declared
    yield "libpmu: its manual names all headers", manual_names_all_headers
    for isa in ISAS:
        yield (f"guest/ebb.h: a program runs, {isa}",
               lambda i, isa=isa: guest_library_runs(i, isa))
    for check in (library_is_versioned, library_exports_its_own,
                  headers_stand_alone, consumer_runs):
        for lib in LIBRARIES:
            name = check.__name__.replace("_", " ")
            yield (f"lib{lib}: {name}",
                   lambda i, check=check, lib=lib: check(i, lib))


def main():
    cases = list(tests())
    print(f"1..{len(cases)}")
    with tempfile.TemporaryDirectory() as directory:
        installed = Installed(directory)
        for number, (name, test) in enumerate(cases, 1):
            try:
                with asserted.demanded():
                    test(installed)
                print(f"ok {number} - {name}", flush=True)
            except (AssertionError, subprocess.CalledProcessError,
                    TypeError, OSError) as why:
                print(f"not ok {number} - {name}")
                for line in (str(why) + "\n" +
                             (getattr(why, "stderr", "") or "")).splitlines():
                    print("# " + line)


if __name__ == "__main__":
    main()
