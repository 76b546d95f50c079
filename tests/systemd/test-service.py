#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmud as systemd's service: what it tells the manager, what it is handed.

usage: test-service.py PMUD

The manager is played: a datagram socket for notifications, and
systemd-socket-activate for a socket that is handed over.
"""
import os
import pathlib
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

PMUD = sys.argv[1]
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


TESTS = [ready_when_it_serves, feeds_the_watchdog,
         leaves_the_watchdog_of_another_alone, ends_in_good_order,
         serves_the_socket_it_is_handed]


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
