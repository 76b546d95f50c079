#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Completion, help on a command, and what is said of a word that is not known.

The scripts for bash, zsh and fish run in these shells.
"""
import os
import shlex
import subprocess
import sys

import bench
from bench import holds, pmuctl, same


def offered(*words, env=None):
    """What pmuctl offers for the last of these words."""
    return pmuctl("completion", "words", "--", *words, env=env).text().split()


# the words of a line, the last being written; some of what is offered; nothing
# that begins otherwise may be
WORDS = [
    (["ma"], ["machine"], "machine"),
    (["machine", "se"], ["settings"], "settings"),
    (["--json", "machine", "se"], ["settings"], "settings"),
    (["trace", "show", "--first-c"], ["--first-cycle"], "--first-cycle"),
    (["run", "--replay", "x", "--s"], ["--set", "--stat"], "--s"),
    (["-"], ["--address", "--help"], "--"),
    (["run", "--set", "sm"], ["smcntrpmf=", "smcdeleg="], "sm"),
    (["run", "--set=smcd"], ["--set=smcdeleg="], "--set=smcdeleg="),
    (["run", "-s", "h="], ["h=on", "h=off"], "h=o"),
    (["run", "--set=profile="], ["--set=profile=opensbi"], "--set=profile="),
    (["run", "-s", "hart1.sst"], ["hart1.sstc="], "hart1.sstc="),
    (["run", "--mode", ""], ["s", "m"], ""),
    (["trace", "show", "-k", "trap,s"], ["trap,sbi", "trap,stop"], "trap,s"),
    (["explain", "csr", "mcounti"], ["mcountinhibit"], "mcountinhibit"),
    (["explain", "csr", "mhpmevent3"], ["mhpmevent31h"], "mhpmevent3"),
    (["explain", "rule", "C20"], ["C201", "C207"], "C20"),
    (["explain", "error", "BAD"], ["BAD_RANGE"], "BAD_RANGE"),
    (["explain", "event", "branch"], ["branches"], "branch"),
    (["sbi", "call", "PMU.counter_st"], ["PMU.counter_start"],
     "PMU.counter_st"),
    (["sbi", "call", "LEGACY.sh"], ["LEGACY.shutdown"], "LEGACY.shutdown"),
    (["reg", "write", "fcs"], ["fcsr"], "fcsr"),
    (["reg", "write", "-m", "m1", "s1"], ["s11"], "s1"),
    (["help", "trace", "d"], ["diff"], "diff"),
    (["help", "tr"], ["trace"], "trace"),
]


def test_words_are_offered_where_they_can_stand():
    for words, some, beginning in WORDS:
        found = offered(*words)
        holds(set(some) <= set(found), (words, found))
        holds(all(f.startswith(beginning) for f in found), (words, found))


def test_nothing_is_offered_where_files_and_numbers_stand():
    for words in (["run", ""], ["trace", "show", ""], ["mem", "read", ""],
                  ["run", "--trace", ""], ["run", "--set", "cpi="],
                  ["nonsense", ""], ["machine", "show", "m1", "m"],
                  ["reg", "write", "a0", ""], ["run", "--stat=y"]):
        same(offered(*words), [], words)


def test_every_command_and_option_is_offered():
    first = offered("")
    for name in ("run", "list", "machine", "help", "completion"):
        same(first.count(name), 1, first)
    same(sorted(offered("csr", "")), ["list", "read", "write"])
    same(sorted(offered("list", "")), ["csrs", "events", "settings"])
    for option in ("--replay", "--set", "--json", "--help"):
        holds(option in offered("run", "--"), option)
    holds("--replay" not in offered("trace", "show", "--"))


def test_machines_and_their_csrs_are_offered_where_a_daemon_is():
    with bench.daemon() as d:
        for settings in ([], ["--set", "sstc=on"]):
            d.pmuctl("machine", "start", "--paused",
                     d.create("loop-rv64", *settings))
        one, two = sorted(d.pmuctl("machine", "list", "--json").json()
                          ["machines"], key=lambda m: m["id"])
        ids = [one["id"], two["id"]]
        for words in (["machine", "show", ""], ["csr", "read", "-m", ""]):
            same(sorted(offered(*words, env=d.env())), ids, words)
        with_sstc = offered("csr", "read", "-m", two["id"], "stimec",
                            env=d.env())
        same(with_sstc, ["stimecmp"])
        same(offered("csr", "read", "--machine=" + one["id"], "stimec",
                     env=d.env()), [])
        new = d.pmuctl("machine", "create").text().strip()
        same(offered("csr", "read", "-m", new, "mcountinh", env=d.env()),
             ["mcountinhibit"])
        d.pmuctl("machine", "delete", new)
        same(sorted(offered("--address", f"{d.runtime}/pmud.sock", "machine",
                            "show", ids[0][:-1])), ids)
    same(offered("machine", "show", ""), [])


SHELL_ENV = bench.environment() | {
    "PATH": os.path.dirname(bench.PMUCTL) + ":" + os.environ["PATH"]}


def in_shell(*command, text=""):
    done = subprocess.run(command, input=text.encode(), check=True,
                          capture_output=True, env=SHELL_ENV, cwd=bench.WORK)
    return done.stdout.decode().split()


def bash(line):
    return in_shell("bash", text=f"""
{pmuctl("completion", "bash").text()}
compopt() {{ :; }}
COMP_LINE={shlex.quote(line)}; COMP_POINT=${{#COMP_LINE}}
_pmuctl
printf '%s\\n' "${{COMPREPLY[@]}}"
""")


def zsh(line):
    """The function that is installed, with what zle would do printed."""
    words = line.split(" ")
    return in_shell("zsh", "-f", text=f"""
compdef() {{ :; }}
compadd() {{ print -rl -- ${{(P)argv[-1]}} }}
_files() {{ print -rl -- some* }}
{pmuctl("completion", "zsh").text()}
words=({' '.join(shlex.quote(w) for w in words)})
CURRENT={len(words)}
_pmuctl
""")


def fish(line):
    return in_shell("fish", "--no-config", text=f"""
{pmuctl("completion", "fish").text()}
complete -C {shlex.quote(line)}
""")


# a line, what bash puts where it cuts words, what the others do
LINES = [
    ("pmuctl machine st", ["start", "step"], None),
    ("pmuctl -j list se", ["settings"], None),
    ("pmuctl run --set smcd", ["smcdeleg="], None),
    ("pmuctl run --set=h=", ["off", "on"], ["--set=h=off", "--set=h=on"]),
    ("pmuctl run -s hart0.h=o", ["off", "on"],
     ["hart0.h=off", "hart0.h=on"]),
    ("pmuctl trace show some", ["some-file.trace"], None),
]


def test_each_shell_completes_lines():
    (bench.WORK / "some-file.trace").touch()
    for line, cut, whole in LINES:
        same(sorted(bash(line)), cut, line)
        same(sorted(zsh(line)), whole or cut, line)
        same(sorted(fish(line)), whole or cut, line)


# what is wrong, what was meant, the exit code
MEANT = [
    (["rnu", "x"], "run", 2),
    (["trace", "shwo"], "trace show", 2),
    (["mahcine", "list"], "machine list", 2),
    (["help", "machnie"], "machine", 2),
    (["explain", "csr", "mhpmcountr3"], "mhpmcounter3", 4),
    (["explain", "csr", "mcountinh"], "mcountinhibit", 4),
    (["explain", "event", "cylces"], "cycles", 4),
    (["explain", "rule", "scountovf_o"], "scountovf_op", 4),
    (["explain", "error", "INVALID_PARM"], "INVALID_PARAM", 4),
    (["machine", "create", "--set", "smdeleg=on"], "smcdeleg", 2),
    (["machine", "create", "--set", "hart0.scofpmf=on"], "sscofpmf", 2),
    (["csr", "read", "-m", "m1", "mcycel"], "mcycle", 4),
    (["csr", "write", "-m", "m1", "mcycel", "0"], "mcycle", 4),
    (["sbi", "call", "-m", "m1", "PMU.counter_strat"], "PMU.counter_start",
     2),
    (["reg", "write", "-m", "m1", "fscr", "0"], "fcsr", 4),
]


def test_what_was_meant_is_said():
    with bench.daemon() as d:
        d.pmuctl("machine", "start", "--paused", d.create("loop-rv64"))
        for args, meant, code in MEANT:
            done = d.pmuctl(*args, code=code)
            holds(f"did you mean '{meant}'?" in done.err.decode(), done)
            holds("did you mean" not in
                  d.pmuctl("-q", *args, code=code).err.decode(), done)


def test_nothing_is_suggested_where_nothing_is_near():
    for args, code in ((["xyzzy"], 2), (["explain", "csr", "foo"], 4),
                       (["explain", "rule", "x"], 4)):
        done = pmuctl(*args, code=code)
        holds(done.err and "did you mean" not in done.err.decode(), done)


def test_a_known_word_is_not_doubted_when_something_else_is_wrong():
    with bench.daemon() as d:
        m = d.create("loop-rv64")
        for args, code in ((["read", "-m", m, "--hart", "7", "mcycle"], 4),
                           (["write", "-m", m, "mcycle", "0"], 1),
                           (["read", "-m", "m99", "mcycle"], 4)):
            done = d.pmuctl("csr", *args, code=code)
            holds(done.err and "did you mean" not in done.err.decode(), done)


def test_a_group_alone_asks_for_its_command():
    done = pmuctl("explain", code=2)
    holds("'explain' needs one more word" in done.err.decode(), done)
    holds("explain counter" in done.err.decode(), done)


def test_a_right_setting_beside_a_wrong_one_is_not_doubted():
    with bench.daemon() as d:
        done = d.pmuctl("machine", "create", "--set", "sstc=on", "--set",
                        "smdeleg=on", code=2)
        same(done.err.decode().count("did you mean"), 1, done)


def test_help_is_that_of_the_command():
    for words in (["run"], ["trace", "show"], ["explain"]):
        same(pmuctl("help", *words).text(), pmuctl(*words, "--help").text())
    same(pmuctl("help").text(), pmuctl("--help").text())
    pmuctl("help", "no", "such", code=2)
    pmuctl("help", "run", "it", code=2)


def test_an_address_may_be_a_path():
    with bench.daemon() as d:
        path = f"{d.runtime}/pmud.sock"
        for option in (["-a", path], ["--address=" + path]):
            pmuctl(*option, "machine", "list")
    done = pmuctl("-a", "relative.sock", "machine", "list", code=2)
    holds("neither unix:///PATH nor /PATH" in done.err.decode(), done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
