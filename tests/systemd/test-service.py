#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmud as systemd's service: what it tells the manager, what it is handed.

usage: test-service.py PMUD FOLDER-OF-UNITS

The manager is played: a datagram socket for notifications, and
systemd-socket-activate for a socket that is handed over.
"""
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import child  # noqa: E402 - found by the line above

PMUD, UNITS = sys.argv[1:3]
PATIENCE = 30			# seconds until a thing counts as not coming
SETTINGS = 4			# the HTTP/2 frame that a server sends first


class Manager:
    """A directory, the manager's socket in it, and the daemon it started."""

    def __init__(self, directory, *command, **env):
        self.directory = pathlib.Path(directory)
        self.path = str(self.directory / "pmud.sock")
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(str(self.directory / "notify"))
        self.notices.settimeout(PATIENCE)
        env = {**os.environ, **env,
               "NOTIFY_SOCKET": str(self.directory / "notify")}
        command = [self.path if c == "SOCKET" else c for c in command]
        self.daemon = child.start(command, env=env)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.daemon.kill()
        self.daemon.wait()
        self.notices.close()

    def notice(self):
        return self.notices.recv(4096).decode()

    def wait_for(self, wanted):
        """Read notices until one is the wanted; others may come between."""
        got = self.notice()
        while got != wanted:
            got = self.notice()
        assert got == wanted

    def connect(self):
        """Connect as soon as the socket is there."""
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(PATIENCE)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                client.connect(self.path)
                return client
            except (FileNotFoundError, ConnectionRefusedError):
                assert time.monotonic() < end, "no socket to connect to"
                time.sleep(0.01)

    def answers(self):
        """Tell whether an HTTP/2 server greets at the socket."""
        with self.connect() as client:
            client.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
                           b"\0\0\0\4\0\0\0\0\0")
            head = client.recv(9, socket.MSG_WAITALL)
            return len(head) == 9 and head[3] == SETTINGS


def ready_when_it_serves(directory):
    with Manager(directory, PMUD, "--socket", "SOCKET") as manager:
        assert manager.notice() == "READY=1"
        assert os.path.exists(manager.path), "ready without its socket"
        assert manager.answers()


def feeds_the_watchdog(directory):
    with Manager(directory, PMUD, "--socket", "SOCKET",
                 WATCHDOG_USEC="200000") as manager:
        manager.wait_for("READY=1")
        manager.wait_for("WATCHDOG=1")
        manager.wait_for("WATCHDOG=1")


def leaves_the_watchdog_of_another_alone(directory):
    with Manager(directory, PMUD, "--socket", "SOCKET",
                 WATCHDOG_USEC="1000", WATCHDOG_PID="1") as manager:
        manager.wait_for("READY=1")
        assert manager.answers()
        manager.daemon.send_signal(signal.SIGTERM)
        assert manager.notice() == "STOPPING=1"


def ends_in_good_order(directory):
    with Manager(directory, PMUD, "--socket", "SOCKET") as manager:
        manager.wait_for("READY=1")
        manager.daemon.send_signal(signal.SIGTERM)
        manager.wait_for("STOPPING=1")
        assert manager.daemon.wait(PATIENCE) == 0


def serves_the_socket_it_is_handed(directory):
    with Manager(directory, "systemd-socket-activate", "-E", "NOTIFY_SOCKET",
                 "-l", "SOCKET", PMUD) as manager:
        assert manager.answers()
        manager.wait_for("READY=1")


def command_of(unit, directory, options):
    """Its ExecStart as the manager runs it, but for PMUD and a socket."""
    text = pathlib.Path(UNITS, unit).read_text()
    words = re.search("^ExecStart=(.*)$", text, re.M)[1].split()
    default = re.search("^Environment=PMUD_OPTIONS=(.*)$", text, re.M)[1]
    at = words.index("$PMUD_OPTIONS")
    words[at:at + 1] = (default if options is None else options).split()
    return [PMUD, *(w.replace("%S", str(directory)) for w in words[1:]),
            "--socket", "SOCKET"]


def takes_the_units_commands(directory):
    (pathlib.Path(directory) / "pmud").mkdir()
    for unit in ("system-pmud.service", "user-pmud.service"):
        with tempfile.TemporaryDirectory() as other, \
                Manager(other, *command_of(unit, directory, None)) as manager:
            manager.wait_for("READY=1")
            assert manager.answers()


def keeps_runs_by_the_units_options(directory):
    (pathlib.Path(directory) / "pmud").mkdir()
    command = command_of("system-pmud.service", directory,
                         "--keep --trace-bytes=1GiB")
    assert f"--state-dir={directory}/pmud" in command, command
    with Manager(directory, *command) as manager:
        manager.wait_for("READY=1")
        assert manager.answers()
        # it is the only one there
        with tempfile.TemporaryDirectory() as other:
            second = child.start(
                [other + "/pmud.sock" if c == "SOCKET" else c
                 for c in command], stderr=subprocess.PIPE)
            said = second.communicate(timeout=PATIENCE)[1]
            assert second.returncode == 1, said
            assert b"another pmud keeps its runs there" in said, said


TESTS = [ready_when_it_serves, feeds_the_watchdog,
         leaves_the_watchdog_of_another_alone, ends_in_good_order,
         serves_the_socket_it_is_handed, takes_the_units_commands,
         keeps_runs_by_the_units_options]


def main():
    print(f"1..{len(TESTS)}")
    for number, test in enumerate(TESTS, 1):
        name = test.__name__.replace("_", " ")
        with tempfile.TemporaryDirectory() as directory:
            try:
                with asserted.demanded():
                    test(directory)
                print(f"ok {number} - {name}", flush=True)
            except (AssertionError, OSError, subprocess.TimeoutExpired) as why:
                print(f"not ok {number} - {name}\n# {why!r}", flush=True)


if __name__ == "__main__":
    main()
