#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""What pmud stores of a machine, and who may change that: nobody.

test-recording.py PMUD FAKE PROTO_DIR. The fake machine records traps whether it
is asked to or not; what it was asked for is its `detail`. Prints TAP.
"""

import sys

import grpc

import harness
from harness import Client, refused
from pmu.v1 import common_pb2 as common
from pmu.v1 import traces_pb2 as traces

ENDED = common.MACHINE_STATE_ENDED
COUNT = 1000
OVERFLOWS = [n for n in range(COUNT) if n % 7 == 0]
TRAPS = [n for n in range(COUNT) if n % 7]


def made(client, **recording):
    return client.create(f"records {COUNT} 0", detach=True, **recording).id


def run(client, machine):
    client.machine("StartMachine", machine=machine)
    for change in client.machine("WatchMachine", machine=machine):
        if change.machine.state == ENDED:
            return
    raise AssertionError("the machine is gone")


def stored(client, machine, **kinds):
    want = traces.RecordFilter(**kinds)
    answers = client.trace("QueryRecords", machine=machine, filter=want)
    return [r.insn for a in answers for r in a.records]


def live(client, machine, **fields):
    """A live stream that is known to have begun."""
    fields["filter"] = traces.RecordFilter(**fields.get("filter", {}))
    stream = client.trace("StreamRecords", machine=machine, **fields)
    assert next(stream).WhichOneof("item") == "header"
    return stream


def numbers(stream):
    return [r.insn for message in stream for r in message.batch.records]


def asked_for(client, machine):
    """What the process was told to record."""
    return client.machine("GetMachine", machine=machine).machine.detail


def query_is_refused(client, machine, kind, name):
    refused(
        grpc.StatusCode.FAILED_PRECONDITION,
        f"does not store records of kind {name}",
        stored,
        client,
        machine,
        **{kind: True},
    )


def test_what_is_recorded_is_said_at_creation_and_shown(path):
    client = Client(path)
    for traps in (False, True):
        for sbi in (False, True):
            machine = made(client, traps=traps, sbi_calls=sbi)
            listed = client.machine("ListMachines").machines
            shown = client.machine("GetMachine", machine=machine).machine
            for m in [m for m in listed if m.id == machine] + [shown]:
                assert m.recording.traps == traps
                assert m.recording.sbi_calls == sbi
            want = ["traps"] * traps + ["sbi"] * sbi
            assert asked_for(client, machine) == " ".join(want)


def test_accesses_to_csrs_are_asked_for_alone(path):
    client, other = Client(path), Client(path)
    machine = made(client, traps=False, sbi_calls=False, csr_accesses=True)
    shown = client.machine("GetMachine", machine=machine).machine
    assert shown.recording.csr_accesses
    assert asked_for(client, machine) == "csr"
    machine = made(client, traps=False, sbi_calls=False)
    watcher = live(other, machine, filter={"csr_accesses": True})
    assert asked_for(client, machine) == "csr"
    watcher.cancel()
    harness.until(lambda: asked_for(client, machine) == "")


def test_a_query_for_what_is_not_stored_says_so(path):
    client = Client(path)
    rows = (
        ({"traps": False, "sbi_calls": False}, ("traps", "trap")),
        ({"traps": True, "sbi_calls": False}, ("sbi_calls", "sbi")),
        ({"traps": False, "sbi_calls": True}, ("traps", "trap")),
        ({"traps": True, "sbi_calls": True}, ("csr_accesses", "csr")),
        ({}, ("deliveries", "delivery")),
    )
    for recording, (kind, name) in rows:
        machine = made(client, **recording)
        query_is_refused(client, machine, kind, name)
        run(client, machine)
        query_is_refused(client, machine, kind, name)


def test_what_was_not_wanted_is_not_stored(path):
    client = Client(path)
    machine = made(client, traps=False, sbi_calls=False)
    run(client, machine)
    assert stored(client, machine) == [*OVERFLOWS, COUNT]
    machine = made(client, traps=True, sbi_calls=False)
    run(client, machine)
    assert stored(client, machine) == list(range(COUNT + 1))
    assert stored(client, machine, traps=True) == TRAPS


def test_a_watcher_has_other_kinds_for_itself(path):
    client, other = Client(path), Client(path)
    machine = made(client, traps=False, sbi_calls=False)
    watched = live(client, machine, filter={"traps": True})
    everything = live(other, machine)
    assert asked_for(other, machine) == "traps"
    run(other, machine)
    assert numbers(watched) == TRAPS
    assert numbers(everything) == [*OVERFLOWS, COUNT]
    assert stored(other, machine) == [*OVERFLOWS, COUNT]
    query_is_refused(other, machine, "traps", "trap")


def test_the_last_watcher_leaves_nothing_behind(path):
    client, other = Client(path), Client(path)
    machine = made(client, traps=False, sbi_calls=True)
    watchers = [live(client, machine, filter={"traps": True}) for _ in range(2)]
    watchers.append(live(client, machine, filter={"traps": True, "stops": True}))
    assert asked_for(other, machine) == "traps sbi"
    for number, watcher in enumerate(watchers, 1):
        watcher.cancel()
        if number < len(watchers):
            assert asked_for(other, machine) == "traps sbi"
    harness.until(lambda: asked_for(other, machine) == "sbi")
    run(other, machine)
    query_is_refused(other, machine, "traps", "trap")


def test_a_watcher_cannot_have_the_past_of_what_is_not_stored(path):
    client = Client(path)
    machine = made(client, traps=False)
    kinds = {"traps": True, "overflows": True}
    early = live(client, machine, filter=kinds, from_start=True)
    run(client, machine)
    assert numbers(early) == list(range(COUNT))
    refused(
        grpc.StatusCode.FAILED_PRECONDITION,
        "kind trap",
        live,
        client,
        machine,
        filter=kinds,
        from_start=True,
    )
    # nothing will come, which is no error
    assert not numbers(live(client, machine, filter=kinds))


def test_a_slow_watcher_stops_the_machine_and_loses_nothing(path):
    client, other = Client(path), Client(path)
    count = 60000
    how = f"records {count} 1000"
    machine = client.create(how, traps=False, sbi_calls=False).id
    kinds = {"sbi_calls": True, "traps": True, "stops": True}
    watched = live(client, machine, filter=kinds)
    other.machine("StartMachine", machine=machine)
    for change in other.machine("WatchMachine", machine=machine):
        if change.machine.state == common.MACHINE_STATE_WAITING:
            break
    got = numbers(watched)
    assert got == [n for n in range(count) if n % 7] + [count], len(got)


if __name__ == "__main__":
    sys.exit(harness.run(globals()))
