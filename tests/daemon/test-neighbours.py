#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Machines beside others that die, lie, flood or find no room.

test-neighbours.py PMUD FAKE PROTO_DIR. Every test starts a pmud of its own, one
user of which may store 4 MiB. Prints TAP.
"""

import resource
import sys

import harness
from harness import Client
from pmu.v1 import common_pb2 as common

PAUSED = common.MACHINE_STATE_PAUSED
ENDED = common.MACHINE_STATE_ENDED
CRASHED = common.MACHINE_STATE_CRASHED
MIB = 1 << 20
HALF = 2500  # records of about 1000 bytes: more than half of what one may store


def wait_for(client, machine, condition):
    for change in client.machine("WatchMachine", machine=machine):
        assert change.machine.state != PAUSED
        if condition(change.machine):
            return change.machine
    raise AssertionError("the machine is gone")


def is_held(m):
    return m.held


def has_ended(m):
    """And all that it recorded is stored."""
    return m.state == ENDED and not m.held


def started(client, how, **recording):
    machine = client.create(how, detach=True, **recording).id
    client.machine("StartMachine", machine=machine)
    return machine


def records(client, machine):
    stored = client.trace("QueryRecords", machine=machine)
    return [r.SerializeToString() for a in stored for r in a.records]


def undisturbed(client, how):
    """The trace of such a machine that finds room."""
    machine = started(client, how)
    wait_for(client, machine, has_ended)
    trace = records(client, machine)
    client.machine("DeleteMachine", machine=machine)
    return trace


def small_neighbour(client):
    return client.create("records 100 0", detach=True).id


def is_well(client, machine):
    client.machine("StartMachine", machine=machine)
    wait_for(client, machine, has_ended)
    assert len(records(client, machine)) == 101
    client.machine("DeleteMachine", machine=machine)


def files_may_grow_to(size):
    """The kernel refuses pmud more, as it does on a full disk."""
    pmud = harness.PID[0]
    old, hard = resource.prlimit(pmud, resource.RLIMIT_FSIZE)
    resource.prlimit(pmud, resource.RLIMIT_FSIZE, (size, hard))
    return old


def test_a_users_limit_holds_a_machine_until_there_is_room(path):
    client = Client(path)
    how = f"records {HALF} 1000"
    want = undisturbed(client, how)
    first = started(client, how)
    wait_for(client, first, has_ended)
    held = started(client, how)
    said = wait_for(client, held, is_held)
    assert "one user may have" in said.held, said.held
    shown = client.machine("GetMachine", machine=held).machine
    listed = {m.id: m for m in client.machine("ListMachines").machines}
    assert shown.held == listed[held].held == said.held
    assert 0 < len(records(client, held)) < len(want)
    client.machine("DeleteMachine", machine=first)
    wait_for(client, held, has_ended)
    assert records(client, held) == want


def test_a_file_that_may_not_grow_holds_a_machine_until_it_may(path):
    client = Client(path)
    how = f"records {HALF} 1000"
    want = undisturbed(client, how)
    neighbour = small_neighbour(client)
    held = client.create(how, detach=True).id
    raised = files_may_grow_to(MIB)
    client.machine("StartMachine", machine=held)
    said = wait_for(client, held, is_held)
    assert "may not grow" in said.held, said
    is_well(client, neighbour)
    files_may_grow_to(raised)
    wait_for(client, held, has_ended)
    assert records(client, held) == want


def test_a_machine_that_is_not_to_wait_is_ended(path):
    client = Client(path)
    neighbour = small_neighbour(client)
    how = f"records {HALF} 1000"
    machine = client.create(how, detach=True, end_when_full=True).id
    files_may_grow_to(MIB)
    client.machine("StartMachine", machine=machine)
    last = wait_for(client, machine, lambda m: m.state == CRASHED)
    assert last.exit_code == 126 and not last.held
    assert "cannot be stored (--when-full=end)" in last.detail, last.detail
    assert "files may not grow" in last.detail, last.detail
    assert 0 < len(records(client, machine)) < HALF
    is_well(client, neighbour)


def test_a_held_machine_can_be_deleted(path):
    client = Client(path)
    machine = started(client, f"records {5 * HALF} 1000")
    wait_for(client, machine, is_held)
    client.machine("DeleteMachine", machine=machine)
    assert not harness.children_of_pmud()
    is_well(client, small_neighbour(client))


def test_a_dead_machine_is_told_when_its_records_are_stored(path):
    client = Client(path)
    first = started(client, f"records {HALF} 1000")
    wait_for(client, first, has_ended)
    held = client.create(f"leave {HALF} 1000", detach=True).id
    assert wait_for(client, held, is_held).state != CRASHED
    harness.until(lambda: len(harness.children_of_pmud()) == 1)
    assert client.machine("GetMachine", machine=held).machine.held
    client.machine("DeleteMachine", machine=first)
    wait_for(client, held, lambda m: m.state == CRASHED and not m.held)
    assert len(records(client, held)) == HALF


def test_all_that_a_dead_machine_left_in_its_ring_is_stored(path):
    client = Client(path)
    count = 3 * HALF // 2
    machine = client.create(f"leave {count} 1000", detach=True).id
    wait_for(client, machine, lambda m: m.state == CRASHED)
    stored = client.trace("QueryRecords", machine=machine)
    assert [r.insn for a in stored for r in a.records] == list(range(count))


def test_bad_neighbours_do_not_disturb(path):
    """A hostile ring, a flood, a death, a machine that is held: all at once."""
    client, bad = Client(path), Client(path)
    how = "records 3000 100"
    want = undisturbed(client, how)
    small = undisturbed(client, "records 100 0")
    bad.create("flood", detach=True, traps=False)
    held = started(bad, f"records {5 * HALF} 1000")
    wait_for(bad, held, is_held)
    resting = client.create().id
    bad.create_later("ring")
    bad.create_later("abort")
    bad.create_later("nonsense")
    # there is no room for more in this user's share: not a byte is lost
    mine = started(client, how)
    client.machine("DeleteMachine", machine=held)
    wait_for(client, mine, has_ended)
    assert records(client, mine) == want
    assert undisturbed(client, "records 100 0") == small
    assert client.machine("GetMachine", machine=resting).machine.cycle == 1


def test_sixteen_floods_leave_time_for_calls(path):
    client, other = Client(path), Client(path)
    for _ in range(15):
        client.create("flood", traps=False)
    machine = other.create().id
    for number in range(50):
        got = other.machine("GetMachine", machine=machine).machine
        assert got.cycle == number + 1
        assert len(other.machine("ListMachines").machines) == 16


def test_how_far_a_machine_is_stands_in_the_list(path):
    client = Client(path)
    client.create("progress")
    (listed,) = client.machine("ListMachines").machines
    assert (listed.insn, listed.cycle) == (12345, 67890)


if __name__ == "__main__":
    sys.exit(harness.run(globals(), "--store-per-user", str(4 * MIB)))
