# SPDX-License-Identifier: BSD-2-Clause
"""What the build's objects define and name, read from their symbol tables.

build.ninja says which source an object is of and which objects a program is
linked from. A name counts where code or data needs it: what the debug sections
say of it is no need. A local function that is nothing but a jump to another
gives a table's row its type: it needs what it names as the table's data does.
"""
import collections
import os
import pathlib
import re
import struct

Section = collections.namedtuple("Section", "name kind offset size link info")
# defined: {name}; code, data: names that .text needs, that other sections need
Object = collections.namedtuple("Object", "defined code data")
Symbol = collections.namedtuple("Symbol", "name is_global kind section value "
                                "size")
# programs: {output: [object]}, sources: {object: file from the tree's top}
Build = collections.namedtuple("Build", "programs sources")

ELF64, LITTLE = 2, 1
SYMTAB, RELA = 2, 4
UNDEFINED, LOCAL, FIRST_RESERVED = 0, 0, 0xff00
NOTYPE, OBJECT, FUNC = 0, 1, 2
JUMP = 16  # bytes of a function that is no more than a jump
NO_NEED = re.compile(r"\.(debug|eh_frame|comment|note|stack|sframe|asan)")
EDGE = re.compile(r"^build ((?:\$.|[^:$])+): (\S+) ?(.*)$")
# sources of programs that nobody installs
NOT_SHIPPED = ("tests/", "bench/", "guests/", "client/examples/")


def _string(data, at):
    return data[at:data.index(b"\0", at)].decode()


def _sections(data):
    start, = struct.unpack_from("<Q", data, 40)
    size, n, names = struct.unpack_from("<HHH", data, 58)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size)
            for i in range(n)]
    base = rows[names][4]
    return [Section(_string(data, base + r[0]), r[1], r[4], r[5], r[6], r[7])
            for r in rows]


def _symbols(data, sections):
    """Return the symbols in the table's order."""
    found = []
    for s in sections:
        if s.kind != SYMTAB:
            continue
        strings = sections[s.link].offset
        for at in range(s.offset, s.offset + s.size, 24):
            name, info, _, shndx, value, size = struct.unpack_from(
                "<IBBHQQ", data, at)
            found.append(Symbol(_string(data, strings + name),
                                info >> 4 != LOCAL, info & 15, shndx, value,
                                size))
    return found


def _jumps(symbols, section, relocations):
    """Yield the relocations in local functions that are jumps only."""
    for s in symbols:
        if s.section != section or s.kind != FUNC or s.is_global or \
                s.size > JUMP:
            continue
        inside = [r for r in relocations if s.value <= r[0] < s.value + s.size]
        if len(inside) == 1:
            yield inside[0]


def read(path):
    """Return what an object defines and needs; only 64 bits, little endian."""
    data = pathlib.Path(path).read_bytes()
    if data[:4] != b"\x7fELF" or data[4] != ELF64 or data[5] != LITTLE:
        raise ValueError(f"{path}: no object that this can read")
    sections = _sections(data)
    symbols = _symbols(data, sections)
    defined = {s.name for s in symbols
               if s.is_global and s.kind in (NOTYPE, OBJECT, FUNC) and
               "." not in s.name and  # else gcc's, of the whole file
               UNDEFINED != s.section < FIRST_RESERVED}
    code, rest = set(), set()
    for s in sections:
        if s.kind != RELA or NO_NEED.match(sections[s.info].name):
            continue
        is_code = sections[s.info].name.startswith(".text")
        relocations = []
        for at in range(s.offset, s.offset + s.size, 24):
            offset, info = struct.unpack_from("<QQ", data, at)
            relocations.append((offset, symbols[info >> 32]))
        jumps = list(_jumps(symbols, s.info, relocations)) if is_code else []
        for r in relocations:
            if r[1].is_global:
                (code if is_code and r not in jumps else rest).add(r[1].name)
    return Object(defined, code - defined, rest - defined)


def _edges(build):
    """Yield (output, rule, [input, ...]) of build.ninja."""
    for line in (build / "build.ninja").read_text().splitlines():
        m = EDGE.match(line)
        if m:
            # inputs and implicit ones; what only has to be older is none
            names = re.findall(r"(?:\$.|[^ $])+", m[3].split("||")[0])
            yield m[1], m[2], [n for n in names if n != "|"]


def load(root, build):
    """Return the Build of the programs and libraries that are installed."""
    archives, linked, sources = {}, {}, {}
    for output, rule, names in _edges(build):
        if rule == "c_COMPILER":
            source = os.path.normpath(build / names[0])
            sources[output] = os.path.relpath(source, root)
        elif rule == "STATIC_LINKER":
            archives[output] = [n for n in names if n.endswith(".o")]
        elif rule == "c_LINKER":
            linked[output] = names
    programs = {}
    for output, names in linked.items():
        objects = [n for n in names if n.endswith(".o")]
        if any(sources[o].startswith(NOT_SHIPPED) for o in objects):
            continue
        for n in names:
            objects += archives.get(n, [])
        programs[output] = objects
    return Build(programs, sources)
