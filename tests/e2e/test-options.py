#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Help, manual page and exit codes say the same."""
import pathlib
import re
import sys

import bench
from bench import holds, pmuctl, same

PAGE = pathlib.Path(bench.SOURCE, "docs/man/pmuctl.1.scd").read_text()
PMUD_PAGE = pathlib.Path(bench.SOURCE, "docs/man/pmud.8.scd").read_text()
CODES = pathlib.Path(bench.SOURCE, "docs/EXIT-CODES.md").read_text()
HEADER = pathlib.Path(bench.SOURCE, "cli/text/exit-codes.h").read_text()


def commands():
    """All of them, as the help lists them."""
    text = pmuctl("--help").text()
    listed = text[text.index("Commands ("):]
    found = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  ", listed, re.M)
    holds(len(found) > 30, found)
    long = [n for n in listed.splitlines() if len(n) > 78 or n[:1].islower()]
    same(long, [])
    return found


def options(command):
    text = pmuctl(*command.split(), "--help").text()
    return set(re.findall(r"--([a-z][a-z-]*)", text))


def in_page(option):
    return f"*--{option}*" in PAGE.replace("\\", "")


def test_every_option_is_in_the_manual_page():
    for command in commands():
        for option in options(command):
            holds(in_page(option), f"pmuctl {command}: --{option}")


def test_every_command_is_in_the_manual_page():
    for command in commands():
        first, *rest = command.split()
        lines = [l for l in PAGE.splitlines() if f"pmuctl {first}" in l or
                 f"*{first}*" in l]
        holds(lines, command)
        holds(not rest or any(rest[0] in l for l in lines), command)


def test_the_manual_page_has_no_option_that_is_not():
    known = set().union(*(options(c) for c in commands()))
    for option in re.findall(r"\*--([a-z-]+)\*", PAGE):
        holds(option in known, option)


def pmud_says(option):
    return bench.subprocess.run(
        [bench.PMUD, option], check=True, capture_output=True, text=True,
        timeout=bench.LONG, env=bench.environment()).stdout


def test_pmuds_manual_page_has_its_options_and_no_others():
    """Long ones with their argument, short ones beside them."""
    listed = re.findall(
        r"^ +(?:-(.), )?(?:    )?--([a-z-]+)(?:=([A-Z]+))?", pmud_says("--help"),
        re.M)
    section = re.search(r"^# OPTIONS$(.*?)^# ", PMUD_PAGE, re.M | re.S)[1]
    heads = " ".join(l for l in section.splitlines() if l[:1] == "*")
    written = {name: value for name, value in re.findall(
        r"\*--([a-z-]+)\*(?:=([A-Z]+))?", heads)}
    short = set(re.findall(r"\*-([^-])\*", heads))
    same(written, {name: value for _, name, value in listed})
    same(short, {letter for letter, _, _ in listed if letter})
    holds(len(written) > 15, written)
    for option in re.findall(r"\*--([a-z-]+)\*", PMUD_PAGE):
        holds(option in written or in_page(option), option)


# a header, what it has, what the page of pmud says of it
FIXED = [
    ("proto/wire/frame.h", "FRAME_MAX = (4 << 20) + (64 << 10),",
     "have not read yet are at most 16.25 MiB"),
    ("proto/wire/frame.h", "FRAME_OUT_LIMIT = 4 * FRAME_MAX,", "16.25 MiB"),
    ("daemon/server/daemon-limits.h",
     "REQUESTS_PER_USER ((uint64_t)FRAME_OUT_LIMIT)", "16.25 MiB"),
    ("daemon/grpc/rpc-limits.h", "RPC_MAX_USER_BYTES (12 * RPC_MIB)",
     "for each call, at most 12 MiB"),
    ("daemon/grpc/rpc-limits.h", "RPC_MAX_TOTAL_BYTES (24 * RPC_MIB)",
     "for all users 24 MiB"),
    ("daemon/grpc/rpc-limits.h", "RPC_CONN_BYTES (32 * RPC_KIB)",
     "with 32 KiB for each connection"),
    ("daemon/grpc/rpc-limits.h", "RPC_CONN_BYTES (32 * RPC_KIB)",
     "one user has at most 384 and all have at most 768"),
    ("daemon/grpc/rpc-limits.h", "RPC_CALL_BYTES (2 * RPC_KIB)",
     "and 2 KiB for each call"),
    ("daemon/grpc/rpc-limits.h", "RPC_WORK_TURN (256 * RPC_KIB)",
     "work of 256 KiB for each user"),
]


def test_limits_without_an_option_are_in_pmuds_manual_page():
    page = " ".join(PMUD_PAGE.split())
    for header, has, says in FIXED:
        text = pathlib.Path(bench.SOURCE, header).read_text()
        holds(has in " ".join(text.split()), f"{header}: {has}")
        holds(says in page, f"pmud.8: {says}")


def test_every_exit_code_is_in_both_papers():
    for code in re.findall(r"EXIT_\w+ = (\d+)", HEADER):
        if code == "128":
            continue
        holds(re.search(rf"^\|\[?\s+{code}$", PAGE, re.M), f"page: {code}")
        holds(re.search(rf"^\| {code} ", CODES, re.M), f"paper: {code}")


def test_help_and_version_go_to_stdout():
    for args in (["--help"], ["--version"], ["run", "--help"],
                 ["trace", "--help"], ["machine", "step", "--usage"]):
        done = pmuctl(*args)
        holds(done.out, done)
        same(done.err, b"")


# settings, what the message says
BAD_SETTINGS = [
    (["colour=red"], "no setting 'colour'"),
    (["isa=rv64gc_zfoo"], "'zfoo' at position 8"),
    (["isa=rv64gc_sscofpmf"], "sscofpmf: needs zihpm"),
    (["isa=rv64imac", "c=off"], "--set c: 'off' is not accepted"),
    (["isa=rv64i"], "setting m: cannot be off"),
    (["xlen=64", "isa=rv32gc"], "rv32, but all harts have xlen 64"),
    (["zihpm=off"], "sscofpmf: needs zihpm"),
    (["hart1.sstc=on"], "the machine has harts 0 to 0"),
    (["hart0.quantum=5"], "a setting of the machine"),
    (["hart0-x.sstc=on"], "hartN. or hartN-M."),
    (["hpm-counters=2-5"], "within 3 to 31"),
    (["hpm-width=3:65"], "1 to 64 bits"),
    (["hpm-events=cykles"], "'cykles' is not an event"),
    (["s=off", "svadu=off", "svade=off"], "hart 0 has no S-mode"),
]


def test_versions_are_those_of_the_programs():
    mine = pmuctl("--version").text().split()
    said = pmuctl("version").text().splitlines()
    same(said[0].split(), mine)
    same(said[1].split(",")[0], f"pmud {mine[1]}")
    answer = pmuctl("-j", "version").json()
    same((answer["version"], answer["traceVersion"]), (mine[1], 1), answer)


def test_settings_that_cannot_be_are_named():
    with bench.daemon() as d:
        for settings, message in BAD_SETTINGS:
            args = [word for s in settings for word in ("--set", s)]
            done = d.pmuctl("machine", "create", *args, code=2)
            holds(message in done.err.decode(), done)


def test_every_setting_has_a_default_that_is_accepted():
    rows = pmuctl("-j", "list", "settings").json()["settings"]
    args = [word for r in rows for word in
            ("--set", f"{r['key']}={r['defaultValue']}")]
    for key in ("isa", "sscofpmf", "hpm-counters", "s"):
        holds(key in {r["key"] for r in rows}, key)
    pmuctl("dt", "show", *args)


def entries():
    """Return what the page says of each setting, by its key."""
    section = re.search(r"^# SETTINGS$(.*?)^# ", PAGE, re.M | re.S)[1]
    found = {}
    for head, body in re.findall(r"^(\S.*=.*)\n((?:\t.*\n|\n(?=\t))+)", section,
                                 re.M):
        for key in re.findall(r"(?:^|, )\*?([a-zA-Z][\w-]*)\*?=", head):
            holds(key not in found, key)
            found[key] = head + body
    return found


def test_every_setting_is_in_the_manual_page_with_its_default():
    said = entries()
    on, off = said.pop("NAME").split("off unless")
    for row in pmuctl("-j", "list", "settings").json()["settings"]:
        key, default = row["key"], row["defaultValue"]
        text = said.pop(key, None)
        if text is None:
            holds(f"*{key}*" in (on if default == "on" else off),
                  f"{key} is not in the page, or not as {default}")
            continue
        if key == "engine":
            default = "auto"  # which pmud need not be built with
        if key != "isa":
            holds(f"({default})" in text.replace("\n\t", " "),
                  f"{key}: its default is {default}")
        for word in row["values"].split("|") if re.fullmatch(
                r"[\w.|]+", row["values"]) else ():
            holds(f"*{word}*" in text, f"{key}: no {word}")
    same(said, {}, "no settings")


def test_what_a_machine_is_unless_told_is_pmuds_to_say():
    fields = pmuctl("-j", "list", "settings").json()["fields"]
    wanted = [[f["key"], f["defaultValue"]] for f in fields]
    same([key for key, _ in wanted], ["harts", "memory", "mode"])
    table = pmuctl("list", "settings").text().splitlines()
    for (key, value), line in zip(wanted, table[1:]):
        same(line.split()[:2], ["--" + key, value])
    with bench.daemon() as d:
        m = d.pmuctl("machine", "create").out.decode().strip()
        shown = d.pmuctl("machine", "settings", m).out.decode()
        same([line.split() for line in shown.splitlines()[1:4]], wanted)
        m = d.pmuctl("machine", "create", "--harts", "2", "--memory", "64M",
                     "--mode", "m").out.decode().strip()
        shown = d.pmuctl("machine", "settings", m).out.decode()
        same([line.split() for line in shown.splitlines()[1:4]],
             [["harts", "2"], ["memory", "64MiB"], ["mode", "m"]])


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
