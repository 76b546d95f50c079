#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""What one user of a pmud gets: test-limits.py PMUD FAKE PROTO_DIR.

Limits are small here, so that they are met soon. What a second user gets can be
shown by root only; what one gets is asserted by everybody.
"""

import os
import resource
import socket
import subprocess
import sys

import grpc

import harness
from harness import WORK, Client, child, kill_machines, refused
from pmu.v1 import common_pb2 as common

OPTIONS = [
    "--machines=8", "--machines-per-user=6",
    "--memory=4GiB", "--memory-per-user=2GiB",
    "--connections=16", "--connections-per-user=11",
]
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
MIB = 1 << 20

# arguments: the socket, the compiled protocol, how many machines
OTHER = """
import grpc, sys
sys.path.insert(0, sys.argv[2])
from pmu.v1 import machines_pb2 as m
c = grpc.insecure_channel("unix://" + sys.argv[1])
f = c.unary_unary("/pmu.v1.MachineService/CreateMachine",
                  request_serializer=lambda r: r.SerializeToString(),
                  response_deserializer=m.CreateMachineResponse.FromString)
for _ in range(int(sys.argv[3])):
    try:
        f(m.CreateMachineRequest(detach=True), timeout=30)
        print("given")
    except grpc.RpcError as e:
        print(e.code().name, e.details())
"""


def create(client, mib):
    config = common.MachineConfig(memory_bytes=mib * MIB)
    return client.machine("CreateMachine", config=config).machine


def as_another(path, machines):
    """Have another user ask for so many machines; return the answers."""
    if os.getuid() != 0:
        raise harness.Skipped("it takes root to be another user")
    os.chmod(WORK.name, 0o755)
    os.chmod(path, 0o666)
    done = subprocess.run(
        child.as_user("nobody", ["/usr/bin/python3", "-c", OTHER, path,
                                 WORK.name, str(machines)]),
        cwd="/", stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def test_one_user_has_so_many_machines_and_no_more(path):
    client = Client(path)
    for _ in range(6):
        client.create()
    refused(EXHAUSTED, "you have 6 machines, and one user may have 6 machines "
            "(pmud --machines-per-user)", client.create)


def test_a_machine_that_is_deleted_is_no_more_counted(path):
    client = Client(path)
    made = [client.create() for _ in range(6)]
    client.machine("DeleteMachine", machine=made[2].id)
    client.create()
    refused(EXHAUSTED, "you have 6 machines", client.create)


def test_a_machine_that_could_not_be_made_is_not_counted(path):
    client = Client(path)
    for _ in range(20):
        refused(grpc.StatusCode.INVALID_ARGUMENT, "bad", client.create,
                "refuse")
    assert [create(client, 64).id for _ in range(6)]


def test_memory_of_one_user_has_a_limit(path):
    client = Client(path)
    refused(EXHAUSTED, "you have 0 KiB of machines' memory, and one user may "
            "have 2 GiB", create, client, 1900)
    create(client, 1000)
    refused(EXHAUSTED, "you have 1.164 GiB of machines' memory", create,
            client, 1000)
    create(client, 600)


def test_a_setting_can_make_a_machine_larger(path):
    client = Client(path)
    config = common.MachineConfig(settings=[
        common.Setting(key="code-buffer", value="1GiB")])
    refused(EXHAUSTED, "one user may have 2 GiB", client.machine,
            "CreateMachine", config=config)


def test_memory_of_a_process_that_is_gone_is_free(path):
    client = Client(path)
    machine = create(client, 1500).id
    refused(EXHAUSTED, "memory", create, client, 1500)
    watch = client.machine("WatchMachine", machine=machine)
    assert next(watch).machine.state == common.MACHINE_STATE_NEW
    kill_machines()
    assert next(watch).machine.state == common.MACHINE_STATE_CRASHED
    assert create(client, 1500).id != machine
    assert len(client.machine("ListMachines").machines) == 2


def test_more_memory_than_any_machine_has_is_the_machines_to_refuse(path):
    assert create(Client(path), 1 << 20).id == "m1"  # the fake takes it


def connect(path):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(30)
    client.connect(path)
    client.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0")
    return client


def words(client):
    """Return all that comes until pmud hangs up."""
    got = b""
    while part := client.recv(4096):
        got += part
    return got


def test_a_connection_too_many_is_told_so(path):
    served = [connect(path) for _ in range(11)]
    got = words(connect(path))
    assert b"you have 11 connections, and one user may have 11" in got, got
    assert b"(pmud --connections-per-user)" in got, got
    for one in served:
        assert one.recv(9)[3] == 4  # SETTINGS
        one.close()
    assert Client(path).create().id == "m1"


def test_the_last_quarter_is_kept_for_those_who_have_nothing(path):
    client = Client(path)
    for _ in range(6):
        client.create()
    answers = as_another(path, 3)
    assert answers[0] == "given", answers
    assert answers[1].startswith(EXHAUSTED.name), answers
    assert "you have 1 machine, and what is left is kept for users who have" \
        in answers[1], answers
    assert answers[1] == answers[2]


def test_what_one_has_is_not_counted_for_another(path):
    assert as_another(path, 6) == ["given"] * 6
    client = Client(path)
    client.create()
    refused(EXHAUSTED, "you have 1 machine, ", client.create)


def test_all_descriptors_that_may_be_had_are_asked_for(path):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert hard > 200
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
    try:
        with harness.daemon():
            got = resource.prlimit(harness.PID[0], resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert got == (hard, hard), got


if __name__ == "__main__":
    sys.exit(harness.run(globals(), *OPTIONS))
