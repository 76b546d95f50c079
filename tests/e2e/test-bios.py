#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl --bios: firmware that the user brings, and what it starts.

OpenSBI is Debian's own and, where scripts/setup-opensbi has fetched one, a newer
one beside it. Debian builds no fw_payload: it is fw_jump, for the same place, with
what it starts behind it in one file.
"""
import pathlib
import re
import struct
import subprocess
import sys

import bench
from bench import GUESTS, WORK, daemon, holds, pmuctl, same

GENERIC = "usr/lib/riscv64-linux-gnu/opensbi/generic"
RAM, NEXT = 0x80000000, 0x80200000
SPIN = struct.pack("<I", 0x6f)  # j .
MAGIC, VERSION, S_MODE = 0x4942534f, 2, 1
A0 = 10
GUEST = GUESTS["overflow-rv64"]
# Asked for a firmware event, it writes before a table of its own and stands in
# its trap handler, on QEMU 10.0 at the same place.
FAULTY = "1.6"


def opensbi():
    """Yield the images of OpenSBI that are there."""
    roots = [pathlib.Path("/"),
             *pathlib.Path(bench.SOURCE, ".deps").glob("opensbi-*")]
    for root in roots:
        for kind in ("fw_dynamic", "fw_jump"):
            for form in ("bin", "elf"):
                path = root / GENERIC / f"{kind}.{form}"
                if path.exists():
                    yield path


def version(image):
    """The version that an image tells in its first words."""
    done = pmuctl("run", "--bios", image, "--max-insns", "30M", GUEST,
                  code=(0, 124, 125))
    return re.search(r"^OpenSBI v(\d+\.\d+)", done.text(), re.M)[1]


def end_of(image):
    """The exit status of a run of the guest with it."""
    return 125 if version(image) == FAULTY else 0


def spinning():
    path = WORK / "spin.bin"
    path.write_bytes(SPIN)
    return path


def registers(d, machine, hart):
    got = d.pmuctl("-j", "reg", "list", "-m", machine, "--hart", hart).json()
    return int(got["pc"]), [int(x) for x in got["x"]]


def memory(d, machine, address, size):
    path = WORK / "memory.bin"
    d.pmuctl("mem", "read", "-m", machine, hex(address), size, "-o", path)
    return path.read_bytes()


def test_firmware_is_told_where_it_goes_next():
    for isa, word in (("rv64", "Q"), ("rv32", "I")):
        with daemon() as d:
            m = d.pmuctl("machine", "create", "--mode", "m", "--harts", "2",
                         *bench.isa_options(isa)).text().strip()
            d.pmuctl("machine", "load", m, "--bios", spinning())
            d.pmuctl("machine", "load", m, GUESTS[f"overflow-{isa}"])
            d.pmuctl("machine", "start", m, "--paused")
            for hart in (0, 1):
                pc, x = registers(d, m, hart)
                same((pc, x[A0]), (0x80000000, hart))
                same(memory(d, m, x[A0 + 1], 4), b"\xd0\x0d\xfe\xed")
                info = memory(d, m, x[A0 + 2], 6 * struct.calcsize(word))
                same(struct.unpack(f"<6{word}", info),
                     (MAGIC, VERSION, 0x80200000, S_MODE, 0, 0))


def test_opensbi_starts_the_guest_in_s_mode():
    """The guest compares its own overflows; those of the trace are as many."""
    tried = list(opensbi())
    holds(tried, "no OpenSBI: package opensbi")
    plain = pmuctl("run", GUEST).text().splitlines()
    for path in tried:
        done = pmuctl("run", "--harts", "2", "--bios", path, GUEST,
                      code=end_of(path))
        text = done.text()
        holds(re.search(r"^OpenSBI v1\.\d", text, re.M), done)
        holds(re.search(r"PMP Count +: 16", text), done)
        if done.code:
            holds("store fault handler failed" in text, done)
            continue
        shown = [re.sub(r"counter \d+", "counter", l) for l in
                 text.splitlines()]
        for line in plain:
            if line.startswith(("cycles:", "fw_set_timer:", "done")):
                holds(re.sub(r"counter \d+", "counter", line) in shown,
                      f"{path}: {line}\n{done}")


def payload_of(jump):
    """Firmware that has the guest in it, where fw_jump goes."""
    flat, path = WORK / "guest.bin", WORK / "fw_payload.bin"
    subprocess.run(["riscv64-unknown-elf-objcopy", "-O", "binary", GUEST, flat],
                   check=True)
    path.write_bytes(jump.read_bytes().ljust(NEXT - RAM, b"\0") +
                     flat.read_bytes())
    return path


def counted(done):
    """What the guest says that it counted and sampled."""
    return done.text().partition("cycles:")[1:]


def test_firmware_with_what_it_starts_in_one_file_runs_alone():
    for jump in opensbi():
        if jump.name != "fw_jump.bin":
            continue
        end = end_of(jump)
        apart = pmuctl("run", "--bios", jump, GUEST, code=end)
        whole = pmuctl("run", "--bios", payload_of(jump), code=end)
        holds(end or "\ndone" in apart.text(), apart)
        same(counted(whole), counted(apart), jump)


def test_a_run_with_firmware_replays_to_the_byte():
    path = next(opensbi())
    first, again = WORK / "bios.trace", WORK / "bios-again.trace"
    end = end_of(path)
    pmuctl("run", "--bios", path, "--trace", first, GUEST, code=end)
    pmuctl("run", "--bios", path, "--replay", first, "--trace", again, GUEST,
           code=end)
    holds(first.read_bytes() == again.read_bytes(), "replay differs")


def test_engines_make_no_difference_to_firmware():
    path = next(opensbi())
    want = None
    for sets in ([], ["--set", "engines=2"], ["--set", "step-only=on"]):
        trace = WORK / "engines.trace"
        pmuctl("run", "--bios", path, *sets, "--trace", trace, "--max-insns",
               "3M", GUEST, code=124)
        same(want or trace.read_bytes(), trace.read_bytes(), sets)
        want = trace.read_bytes()


def asked(isa, *args):
    """The conformance guest's checks by number: name, and whether it asked."""
    text = pmuctl("run", *args, "--max-insns", "400M",
                  GUESTS[f"conformance-{isa}"]).text()
    found = re.findall(r"^ok (\d+) - (.*?)( # SKIP)?\r?$", text, re.M)
    same(text.splitlines()[-1], f"1..{len(found)}", text[-1500:])
    return {int(n): (name, not skip) for n, name, skip in found}


def test_what_kills_opensbis_hart_is_asked_of_our_profile_alone():
    """All other checks are left out: an older one dies of more."""
    for isa in reversed(bench.ISAS):
        ours = asked(isa, "--set", "profile=opensbi", *bench.isa_options(isa))
        same([n for n, (_, done) in ours.items() if not done], [], isa)
    kills = [n for n, (name, _) in ours.items() if name.startswith("crashers")]
    holds(kills, ours)
    left_out = "leave-out=" + ",".join(str(n) for n in ours if n not in kills)
    for path in opensbi():
        theirs = asked("rv64", "--bios", path, "--append", left_out)
        same({n: theirs[n] for n in kills},
             {n: (ours[n][0], False) for n in kills}, path)


def test_what_cannot_be_is_refused():
    for args, code, why in (
            (["--mode", "s", "--bios", spinning(), GUEST], 2, "--mode s"),
            (["--bios", "/nonexistent", GUEST], 4, "/nonexistent"),
            (["--bios", GUESTS["overflow-rv32"], GUEST], 2, "RV32"),
            ([], 2, "--bios")):
        done = pmuctl("run", *args, code=code)
        holds(why in done.err.decode(), done)


def test_firmware_may_stand_alone():
    done = pmuctl("run", "--bios", spinning(), "--max-insns", "5", code=124)
    holds("0x80000000" in done.err.decode(), done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
