#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Clients in Python and TypeScript whose code is made of the protocol.

The examples of client/examples are built as docs/CLIENT-CODE.md tells users,
with the tools that scripts/setup brings, and run against a real machine; what
they say is compared with what pmuctl says of it.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import bench
import child
from bench import SOURCE, WORK, daemon, holds, same

PROTO = pathlib.Path(SOURCE, "proto")
EXAMPLES = pathlib.Path(SOURCE, "client/examples")
PACKAGES = pathlib.Path(SOURCE, ".deps/typescript")
MADE = {}  # by language: the command


def tool(name):
    found = shutil.which(name)
    holds(found, f"{name} is not there: scripts/setup installs it")
    return found


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          timeout=bench.LONG, **more)
    same(done.returncode, 0, f"{command[0]}: {done.stdout}{done.stderr}")


def protoc(*options):
    run(tool("protoc"), "-I", PROTO, *options,
        *sorted(PROTO.glob("pmu/v1/*.proto")))


def make_python():
    out = WORK / "python"
    out.mkdir()
    protoc("--plugin=protoc-gen-grpc_python=" + tool("grpc_python_plugin"),
           f"--python_out={out}", f"--grpc_python_out={out}")
    os.environ["PYTHONPATH"] = str(out)
    return [sys.executable, "-B", EXAMPLES / "follow-overflows.py"]


def make_typescript():
    lock = (EXAMPLES / "typescript/package-lock.json").read_bytes()
    whole = PACKAGES / "complete"
    holds(whole.exists() and whole.read_bytes() == lock,
          f"{PACKAGES} is not what package-lock.json names: scripts/setup "
          "installs it, for which it needs the network and npm's registry")
    out = WORK / "typescript"
    shutil.copytree(EXAMPLES / "typescript", out)
    (out / "node_modules").symlink_to(PACKAGES / "node_modules")
    programs = PACKAGES / "node_modules/.bin"
    protoc(f"--plugin=protoc-gen-ts={programs}/protoc-gen-ts",
           f"--ts_out={out}")
    run(tool("node"), programs / "tsc", "--project", out)
    return [tool("node"), out / "out/follow-overflows.js"]


def command(language, d, *args):
    """The example's, on a pmud's socket."""
    if language not in MADE:
        MADE[language] = {"Python": make_python,
                          "TypeScript": make_typescript}[language]()
    return [*MADE[language], d.runtime + "/pmud.sock", *args]


def said(language, d, *args, code=0):
    done = subprocess.run(command(language, d, *args), capture_output=True,
                          text=True, check=False, timeout=bench.LONG)
    same(done.returncode, code, done.stdout + done.stderr)
    return done.stderr if code else done.stdout


def machines_are_listed(language):
    with daemon() as d:
        same(said(language, d), "")
        first, second = (d.create("overflow-rv64") for _ in range(2))
        d.pmuctl("machine", "start", second)
        d.pmuctl("machine", "wait", second)
        insn = d.show(second)["insn"]
        same(set(said(language, d).splitlines()),
             {f"{first} new 0", f"{second} ended {insn}"})


def line_of(record, files):
    """What the examples print of what `trace show` has."""
    o = record["overflow"]
    pc, place = int(o["lastPc"]), files[int(o["lastPc"])]
    return (f"hart {record['hart']} counter {o['counter']} {o['event']} "
            f"cycle {record['cycle']} {pc:#x} "
            f"{record['function']}+{int(record['offset']):#x} {place}")


# what addr2line says, what the compiler was given
PLACES = [
    ("/top/build/../guests/work.c:7", "../guests/work.c:7"),
    ("/top/build/1/../../guests/work.c:7", "../../guests/work.c:7"),
    ("/top/a/b/c/../../../guests/work.c:7", "../../../guests/work.c:7"),
    ("/top/guests/work.c:7 (discriminator 2)", "/top/guests/work.c:7"),
    ("/top of all/work.c:7", "/top of all/work.c:7"),
    # no "..": folders of two letters, and that begin or end as it does
    ("/top/ab/work.c:7", "/top/ab/work.c:7"),
    ("/top/..a/work.c:7", "/top/..a/work.c:7"),
    ("/top/a../../work.c:7", "../work.c:7"),
]


def place_as_given(line):
    """Behind the folder that the compiler was in."""
    return re.sub(r".*?/(?=\.\./)", "", line.split(" (")[0], count=1)


def test_a_place_is_what_the_compiler_was_given():
    for line, given in PLACES:
        same(place_as_given(line), given)


def lines_by_binutils(guest, addresses):
    """FILE:LINE of each address, by a reader of line tables not ours.

    pmud says what the compiler was given.
    """
    found = subprocess.run(
        [tool("riscv64-unknown-elf-addr2line"), "-e", bench.GUESTS[guest],
         *map(hex, addresses)], capture_output=True, text=True, check=True)
    return dict(zip(addresses, map(place_as_given, found.stdout.splitlines())))


def overflows_are_followed(language, isa):
    """From before the first one on, to the machine's end."""
    with daemon() as d:
        m = d.create(f"overflow-{isa}", *bench.isa_options(isa))
        d.pmuctl("machine", "start", "--paused", m)
        follower = child.start(command(language, d, m), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        d.pmuctl("machine", "resume", m)
        out, err = follower.communicate(timeout=bench.LONG)
        same((follower.returncode, err), (0, ""))
        got = out.splitlines()
        records = [json.loads(line) for line in d.pmuctl(
            "-j", "trace", "show", "-k", "overflow", "-m", m, "--symbols",
            bench.GUESTS[f"overflow-{isa}"]
        ).out.splitlines()]
        holds(len(records) > 30, records)
        files = lines_by_binutils(
            f"overflow-{isa}",
            sorted({int(r["overflow"]["lastPc"]) for r in records}))
        for line, r in zip(got, records, strict=True):
            same(line, line_of(r, files))
        holds(any("work.c:" in line for line in got), out)


def a_refusal_is_told(language):
    with daemon() as d:
        same(said(language, d, "m9", code=1),
             "NOT_FOUND: no machine 'm9'\n")


def test_python_lists_machines():
    machines_are_listed("Python")


def test_python_follows_overflows_to_their_lines():
    for isa in bench.ISAS:
        overflows_are_followed("Python", isa)


def test_python_is_told_why_not():
    a_refusal_is_told("Python")


def test_typescript_lists_machines():
    machines_are_listed("TypeScript")


def test_typescript_follows_overflows_to_their_lines():
    for isa in bench.ISAS:
        overflows_are_followed("TypeScript", isa)


def test_typescript_is_told_why_not():
    a_refusal_is_told("TypeScript")


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
