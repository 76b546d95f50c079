#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Make the initial file systems tiny, slim and full out of unpacked packages.

It decides which files each has: of libraries those that are needed, by what
the ELF files say. In slim, libraries that perf loads but calls only for scripts,
remote debug information and other machines' traces are replaced by empty ones
that have the same symbols, for unpacking and loading them is most of the time.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

import newc

LIBRARIES = "usr/lib/riscv64-linux-gnu"
LOADER = "ld-linux-riscv64-lp64d.so.1"
# What perf never calls unless it is asked for it.
EMPTY = re.compile(r"lib(perl|python[0-9]|babeltrace|opencsd|debuginfod|audit|"
                   r"numa|LLVM)")
NEEDED = re.compile(r"\(NEEDED\).*\[(.*)\]")
# Num: Value Size Type Bind Vis Ndx Name@@VERSION
SYMBOL = re.compile(r"\s*\d+: [0-9a-f]+\s+(\w+) (\w+)\s+(?:GLOBAL|WEAK)\s+"
                    r"\w+\s+(?:\[.*?\]\s+)?(\w+) ([\w.$]+)(?:@@?([\w.]+))?")


def readelf(path, *options):
    return subprocess.run(["readelf", "-W", *options, path], check=True,
                          capture_output=True, text=True).stdout


class Tree:
    """The unpacked packages."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def library(self, name):
        """Return the file of a library; none but perf's own are looked for."""
        for folder in (LIBRARIES, "usr/lib"):
            path = self.root / folder / name
            if path.exists():
                return path.resolve()
        raise SystemExit(f"rootfs: no package has {name}")

    def program(self, name):
        for folder in ("usr/bin", "bin"):
            path = self.root / folder / name
            if path.exists():
                return path.resolve()
        raise SystemExit(f"rootfs: no package has {name}")

    def closure(self, programs, ends=lambda _: False):
        """Return {library: file} of all that programs load.

        What libraries load of which @ends says so is not looked at.
        """
        found, todo = {}, list(programs)
        while todo:
            for name in NEEDED.findall(readelf(todo.pop(), "-d")):
                if name in found:
                    continue
                found[name] = self.library(name)
                if not ends(name):
                    todo.append(found[name])
        return found


def symbols(path, defined):
    """Yield (name, version, type, size) of what a file has or lacks."""
    for line in readelf(path, "--dyn-syms").splitlines():
        m = SYMBOL.match(line)
        if m and (m[3] != "UND") == defined:
            yield m[4], m[5], m[2], int(m[1], 0)


def source_of(wanted):
    """C and a version script for a library that has the symbols @wanted."""
    code, versions = [], {}
    for symbol, version, kind, size in sorted(wanted, key=str):
        alias = f"s{len(code)}"
        as_name = f'__asm__("{symbol}")'
        if kind == "FUNC":
            code.append(f"long {alias}(void) {as_name};\n"
                        f"long {alias}(void) {{ return 0; }}")
        else:
            code.append(f"char {alias}[{max(size, 8)}] {as_name};")
        if version:
            versions.setdefault(version, []).append(symbol)
    script = [f"{v} {{ global: {'; '.join(s)}; }};" for v, s in versions.items()]
    return "\n".join(code) + "\n", "\n".join(script)


def empty(cross, name, real, users, folder):
    """Compile a library in place of @real; return its file."""
    lacking = {s[:2] for user in users for s in symbols(user, False)}
    code, script = source_of(
        [s for s in symbols(real, True) if s[:2] in lacking])
    (folder / "empty.c").write_text(code)
    (folder / "empty.map").write_text(script)
    out = folder / name
    versions = [f"-Wl,--version-script,{folder}/empty.map"] if script else []
    subprocess.run([cross + "gcc", "-shared", "-nostdlib", "-fPIC", "-O1", "-w",
                    "-fno-builtin", "-Wl,--build-id=none", f"-Wl,-soname,{name}",
                    *versions, "-o", out, folder / "empty.c"], check=True)
    return out


def base(args, tree):
    """What all have: busybox, pmutest, and folders to mount on."""
    rootfs = newc.Archive()
    for folder in ("dev", "proc", "sys", "tmp", "root", "etc", "usr/bin",
                   "usr/lib"):
        rootfs.folder(folder)
    for folder in ("bin", "lib"):
        rootfs.link(folder, "usr/" + folder)
    rootfs.character("dev/console", 5, 1)
    rootfs.file("init", args.init.read_bytes(), 0o755)
    rootfs.file("usr/bin/busybox", tree.program("busybox").read_bytes(), 0o755)
    rootfs.file("usr/bin/pmutest", args.pmutest.read_bytes(), 0o755)
    return rootfs


def add(rootfs, tree, programs, libraries):
    """Add programs by name and libraries by name and file."""
    for name, path in programs.items():
        rootfs.file(f"usr/bin/{name}", path.read_bytes(), 0o755)
    for name, path in libraries.items():
        rootfs.file(f"{LIBRARIES}/{name}", path.read_bytes(), 0o755)
    rootfs.link(f"usr/lib/{LOADER}", f"riscv64-linux-gnu/{LOADER}")


def full(args, tree):
    rootfs = base(args, tree)
    programs = {"perf": tree.program("perf"), "objdump": tree.program("objdump")}
    add(rootfs, tree, programs, tree.closure(programs.values()))
    return rootfs


def slim(args, tree):
    rootfs = base(args, tree)
    perf = tree.program("perf")
    libraries = tree.closure([perf], EMPTY.match)
    kept = [perf, *(p for n, p in libraries.items() if not EMPTY.match(n))]
    with tempfile.TemporaryDirectory() as work:
        for name in sorted(filter(EMPTY.match, libraries)):
            libraries[name] = empty(args.cross, name, libraries[name], kept,
                                    pathlib.Path(work))
        add(rootfs, tree, {"perf": perf}, libraries)
    return rootfs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cross", required=True, help="compiler's prefix")
    parser.add_argument("--init", type=pathlib.Path, required=True)
    parser.add_argument("--pmutest", type=pathlib.Path, required=True)
    parser.add_argument("tree", help="the packages")
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    tree = Tree(args.tree)
    for make in (base, slim, full):
        name = "tiny" if make is base else make.__name__
        (args.out / f"{name}.cpio").write_bytes(make(args, tree).pack())


if __name__ == "__main__":
    main()
