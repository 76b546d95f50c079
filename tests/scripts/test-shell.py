#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What the shell scripts share: no end without a reason, apt's state as any
user sees it, an environment as empty as a user's, a system without /proc.

usage: test-shell.py SOURCE-DIRECTORY
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import checks

TOP = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(TOP / "tests"))
import child  # noqa: E402 - found by the line above

HEAD = """#!/bin/bash
set -euo pipefail
. "$SCRIPTS/lib.sh"
. "$SCRIPTS/lib-apt.sh"
"""

# why, a script behind these lines, its exit status, what it must say of itself
ENDS = [
    ("a command that fails is named with its line", "true\nfalse\n", 1,
     'line 6: "false" ended with status 1'),
    ("in a function and in a substitution, too",
     "f() { local x; x=$(sh -c 'exit 3' | cat); }\nf\n", 3,
     "ended with status 3"),
    ("one in a pipe", "sh -c 'exit 4' | cat\n", 4, "ended with status 4"),
    ("one that a stage runs", "timed stage false\n", 1,
     'line 5: "timed stage false" ended with status 1'),
    ("a variable that is not set", "echo \"$nothing\"\n", 1,
     "nothing: unbound variable"),
    ("die gives its own reason, once", "die 'no more'\n", 1, ": no more\n"),
    ("a failure that is expected is none",
     "if false; then true; fi\nfalse || true\nx=$(false) || true\n", 0, ""),
]


def bash(text, user=None):
    """Run a script as a file; its exit status and what it said."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        scripts = shutil.copytree(TOP / "scripts", folder + "/scripts")
        path = pathlib.Path(folder, "x")
        path.write_text(text)
        command = ["bash", str(path)]
        done = subprocess.run(
            child.as_user(user, command) if user else command, check=False,
            env={"PATH": os.environ["PATH"], "SCRIPTS": str(scripts)},
            cwd="/", capture_output=True, text=True)
    return done.returncode, done.stderr, done.stdout


def check_end(row):
    _, script, status, said = row
    code, err, _ = bash(HEAD + script)
    good = code == status and said in err
    return good and (bool(err) == bool(status)), (code, err)


def check_apt_state(_):
    """As an ordinary user, for whom apt has folders of its own."""
    user, got = "nobody" if os.getuid() == 0 else None, []
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name in ("etc/apt", "var/cache/apt/archives", "var/lib/apt/lists"):
            pathlib.Path(folder, name).mkdir(parents=True)
        lists = pathlib.Path(folder, "var/lib/apt/lists")
        partial = lists / "partial"
        partial.mkdir()
        for name in ("partial/one", "one"):
            partial.chmod(0o755)
            (lists / name).touch()
            partial.chmod(0)
            got.append(bash(HEAD + f"apt_root='{folder}' apt_state\n", user))
        partial.chmod(0o755)
    states = [out.split()[0] for _, _, out in got if out]
    good = all((code, err) == (0, "") for code, err, _ in got) and \
        [len(s) for s in states] == [64, 64] and states[0] != states[1]
    return good, got


def check_environment(_):
    """.ci/run lets through what a package client needs, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/.ci")
        shutil.copy(TOP / ".ci/run", folder + "/.ci/run")
        checks.play(pathlib.Path(folder, "scripts/test"),
                    "echo \"$*\"\nexec env")
        given = {"PATH": os.environ["PATH"], "HOME": "/nowhere",
                 "TERM": "vt100", "http_proxy": "http://a proxy:3128",
                 "PYTHONUNBUFFERED": "1", "LANG": "C.UTF-8", "CC": "clang"}
        done = subprocess.run([folder + "/.ci/run", "--quick"], env=given,
                              check=True, capture_output=True, text=True)
    first, *lines = done.stdout.splitlines()
    got = dict(line.split("=", 1) for line in lines)
    for own in ("PWD", "SHLVL", "_", "OLDPWD"):
        got.pop(own, None)
    want = {k: v for k, v in given.items()
            if k not in ("PYTHONUNBUFFERED", "LANG", "CC")}
    return (first, got) == ("--quick", want), (first, got)


def check_no_proc(_):
    """Every script of a copy whose lib.sh looks for what is not there.

    They find no program but what their first lines need: none of them could
    do anything if it went on.
    """
    with tempfile.TemporaryDirectory() as folder:
        scripts = shutil.copytree(TOP / "scripts", folder + "/scripts")
        lib = pathlib.Path(scripts, "lib.sh")
        lib.write_text(lib.read_text().replace("/proc/self/fd", "/nowhere"))
        os.mkdir(folder + "/bin")
        for name in ("dirname", "basename"):
            os.symlink(shutil.which(name), f"{folder}/bin/{name}")
        wrong, n = {}, 0
        for path in sorted(pathlib.Path(scripts).iterdir()):
            if not path.read_text().startswith("#!/bin/bash\n"):
                continue
            n += 1
            done = subprocess.run([path], env={"PATH": folder + "/bin"},
                                  stdin=subprocess.DEVNULL, check=False,
                                  capture_output=True, text=True, cwd=folder)
            got = done.returncode, done.stdout, done.stderr
            if got != (1, "", f"{path.name}: /proc is not there: "
                       "mount -t proc proc /proc\n"):
                wrong[path.name] = got
    return n and not wrong, wrong


STUBS = {
    "scripts/build": "mkdir -p $1/meson-logs; touch $1/build.ninja",
    "scripts/rules": "exit 0",
    # meson test -C DIRECTORY
    "bin/meson": "printf '%s' \"$LOG\" >$3/meson-logs/testlog.json",
}


def check_log(log, last):
    """scripts/test --quick, whose build, rules and tests are stubs."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in STUBS.items():
            checks.play(pathlib.Path(folder, name), text)
        for name in ("test", "lib.sh", "count-tests.py"):
            shutil.copy(TOP / "scripts" / name, f"{folder}/scripts/{name}")
        done = subprocess.run(
            [folder + "/scripts/test", "--quick", "--no-setup"], check=False,
            env={"PATH": f"{folder}/bin:{os.environ['PATH']}", "LOG": log},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    got = done.returncode, done.stdout.splitlines()[-1]
    return got == (int(not last.endswith(" 0 failed")), last), got


def check_good_log(_):
    return check_log('{"name": "t", "result": "OK", "stdout": ""}\n',
                     "3 passed, 0 failed")


def check_bad_log(_):
    return check_log('{"name": "t", "resu', "2 passed, 1 failed")


def check_skips_in_log(_):
    """Whose reason is said, and looks like the sum that the script reads."""
    return check_log(r'{"name": "t", "result": "OK", "stdout": '
                     r'"1..1\nok 1 - total 7 7 # SKIP total 8 8\n"}' "\n",
                     "2 passed, 0 failed")


def check_empty_log(_):
    return check_log("", "2 passed, 1 failed")


# A machine that scripts/test-fresh can make releases on; what runs in them says
# so in the log.
FRESH = {
    "bin/id": "echo 0",
    "bin/ip": "exit 0",
    "bin/git": "exit 0",
    "bin/apt-config": "exit 0",
    "bin/debootstrap": 'for base; do [ ! -d "${base%/*}" ] || break; done\n'
                       'mkdir -p "$base/etc/apt/apt.conf.d" '
                       '"$base"/etc/{dpkg/dpkg.cfg.d,sudoers.d}',
    "bin/chroot": "exit 0",
    "bin/unshare": 'echo "$*" >>"$LOG"',
}
# why, what is played otherwise, whether the bare release is whole, what is said
UNMADE = [
    ("a release that lacks a setting is not taken for whole",
     {"bin/cp": '[[ $* != *resolv.conf* ]] && exec /bin/cp "$@"'}, False,
     '"cp -L /etc/resolv.conf'),
    ("in a chroot without its user nothing runs",
     {"bin/chroot": "[[ $* != *useradd* ]]"}, True, '"chroot "$root" useradd'),
    ("nor in one without sudo",
     {"bin/unshare": 'echo "$*" >>"$LOG"\n[[ $* != *install* ]]'}, True,
     "no sudo in "),
    ("nor in one without the tree",
     {"bin/git": "exit 1"}, True, '"git clone'),
]


# A demo that goes well, in a folder that grows by so many MB with each start.
DEMO = """echo "$*" >>"$LOG"
case $* in
*" user noproc "*) echo "/proc is not there" && exit 1 ;;
*) echo "== rv32: a second run has the same trace" ;;
esac"""
GROWS = "echo $(($(grep -c scripts/ \"$LOG\" || true) * {})) x"


def fresh(played, *options):
    """Return exit status, whether a release is whole, whether a command ran in
    it, and what was said."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (FRESH | played).items():
            checks.play(pathlib.Path(folder, name), text)
        scripts = pathlib.Path(folder, "scripts")
        scripts.mkdir()
        for name in ("test-fresh", "lib.sh"):
            shutil.copy(TOP / "scripts" / name, scripts / name)
        (scripts / "apt-source.py").write_text('print("deb [] a b main")')
        log = pathlib.Path(folder, "log")
        log.touch()
        done = subprocess.run(
            [scripts / "test-fresh", "--suite", "played", "--user", "user",
             "--work", folder + "/made", *options], check=False, text=True,
            env={"PATH": f"{folder}/bin:{os.environ['PATH']}",
                 "LOG": str(log)},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        done_at = pathlib.Path(folder, "made/base-played.done")
        return (done.returncode, done_at.exists(),
                "scripts/" in log.read_text()), done.stdout


def check_fresh(row):
    """scripts/test-fresh, where something fails before a command can run."""
    _, played, whole, said = row
    got, text = fresh(played)
    return got == (1, whole, False) and said in text, (got, text)


def check_disk(row):
    """Each of the three starts of a demo, the second of which is the first
    that does anything, takes as much."""
    each, status, said = row
    got, text = fresh({"bin/unshare": DEMO, "bin/du": GROWS.format(each)},
                      "--demo-only")
    return got == (status, True, True) and said in text, (got, text)


CHECKS = [(row[0], check_end, row) for row in ENDS] + [
    ("the state of apt is what its user may see", check_apt_state, None),
    ("the tests run in an empty environment", check_environment, None),
    ("without /proc a script says so and does nothing", check_no_proc, None),
    ("stages and tests are counted, last of all", check_good_log, None),
    ("results that cannot be read are a failure", check_bad_log, None),
    ("so is a run of no tests", check_empty_log, None),
    ("why a test was skipped is told before the sum", check_skips_in_log, None),
    *((row[0], check_fresh, row) for row in UNMADE),
    ("a demo may take so much of a disk", check_disk,
     (1200, 0, "1200 MB  played-user: scripts/demo, online")),
    ("and no more", check_disk,
     (1201, 1, "may take 1200 MB, and took 1201")),
]


if __name__ == "__main__":
    checks.main(CHECKS)
