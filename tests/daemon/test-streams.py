#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmud's streams and stores: slow readers, filters, limits, deletion.

test-streams.py PMUD FAKE PROTO_DIR. Every test starts a pmud of its own, whose
store for a trace is the smallest there is: 1 MiB. Prints TAP.
"""

import sys

import grpc

import harness
from harness import Client, refused
from pmu.v1 import common_pb2 as common
from pmu.v1 import machines_pb2 as machines
from pmu.v1 import traces_pb2 as traces

WAITING = common.MACHINE_STATE_WAITING
ENDED = common.MACHINE_STATE_ENDED
ROTATE = common.WHEN_FULL_ROTATE
MANY, BIG = 36000, 1000  # records that fit in no store, ring and window


def started(client, count, size):
    machine = client.create(f"records {count} {size}", when_full=ROTATE)
    client.machine("StartMachine", machine=machine.id)
    return machine.id


def wait_for(client, machine, *states):
    changes = client.machine("WatchMachine", machine=machine)
    seen = (c.machine.state for c in changes)
    found = next((s for s in seen if s in states), None)
    assert found is not None, "the machine is gone"
    return found


def read_all(stream):
    """Return the numbers of a live stream's records and of the lost ones."""
    numbers, lost = [], 0
    for message in stream:
        numbers += [r.insn for r in message.batch.records]
        lost += message.lost
    return numbers, lost


def test_a_slow_reader_stops_the_machine_and_loses_nothing(path):
    client, other = Client(path), Client(path)
    machine = client.create(f"records {MANY} {BIG}", when_full=ROTATE).id
    stream = client.trace("StreamRecords", machine=machine)
    assert next(stream).WhichOneof("item") == "header"
    other.machine("StartMachine", machine=machine)
    wait_for(other, machine, WAITING)
    numbers, lost = read_all(stream)
    end = other.machine("GetMachine", machine=machine).machine
    assert numbers == list(range(MANY + 1)) and not lost, (len(numbers), end)


def test_a_reader_that_goes_away_lets_the_machine_go_on(path):
    client, other = Client(path), Client(path)
    machine = client.create(f"records {MANY} {BIG}", True, when_full=ROTATE).id
    stream = client.trace("StreamRecords", machine=machine)
    next(stream)
    other.machine("StartMachine", machine=machine)
    wait_for(other, machine, WAITING)
    stream.cancel()
    wait_for(other, machine, ENDED)


def test_a_machine_that_dies_while_it_waits_loses_nothing_of_what_it_said(path):
    client, other = Client(path), Client(path)
    machine = client.create(f"records {MANY} {BIG}", when_full=ROTATE).id
    stream = client.trace("StreamRecords", machine=machine)
    next(stream)
    other.machine("StartMachine", machine=machine)
    wait_for(other, machine, WAITING)
    harness.kill_machines()
    numbers, lost = read_all(stream)
    assert not lost and 0 < len(numbers) < MANY
    assert numbers == list(range(len(numbers)))
    wait_for(other, machine, common.MACHINE_STATE_CRASHED)


def test_a_reader_that_may_lose_is_told_how_many(path):
    client, other = Client(path), Client(path)
    machine = client.create(f"records {MANY} {BIG}", when_full=ROTATE).id
    stream = client.trace("StreamRecords", machine=machine, drop=True)
    next(stream)
    other.machine("StartMachine", machine=machine)
    wait_for(other, machine, ENDED)
    numbers, lost = read_all(stream)
    assert lost and len(numbers) + lost == MANY + 1
    assert numbers == sorted(numbers) and numbers[-1] == MANY


def test_what_slid_out_of_the_store_is_told_to_who_comes_late(path):
    client = Client(path)
    machine = started(client, MANY, BIG)
    wait_for(client, machine, ENDED)
    stream = client.trace("StreamRecords", machine=machine, from_start=True)
    numbers, lost = read_all(stream)
    assert lost and len(numbers) + lost == MANY + 1
    assert numbers == list(range(lost, MANY + 1))


def test_a_trace_that_is_full_holds_its_machine_and_is_whole(path):
    client = Client(path)
    machine = client.create(f"records {MANY} {BIG}", detach=True).id
    client.machine("StartMachine", machine=machine)
    held = ""
    for change in client.machine("WatchMachine", machine=machine):
        held = change.machine.held
        if held:
            break
    assert "as many as it may" in held, held
    numbers = query(client, machine)
    assert numbers == list(range(len(numbers))) and numbers, len(numbers)


def test_a_trace_that_is_full_ends_its_machine_if_that_was_chosen(path):
    client = Client(path)
    end = common.WHEN_FULL_END
    machine = client.create(f"records {MANY} {BIG}", True, when_full=end).id
    client.machine("StartMachine", machine=machine)
    wait_for(client, machine, common.MACHINE_STATE_CRASHED)
    numbers = query(client, machine)
    assert numbers == list(range(len(numbers))) and numbers, len(numbers)


def test_a_trace_is_no_longer_than_pmud_allows(path):
    client = Client(path)
    machine = client.create("records 1500 1000", True, when_full=ROTATE,
                            trace_bytes=1 << 30).id
    client.machine("StartMachine", machine=machine)
    wait_for(client, machine, ENDED)
    answers = client.trace("QueryRecords", machine=machine)
    assert next(answers).first_record > 0


def query(client, machine, **fields):
    if "filter" in fields:
        fields["filter"] = traces.RecordFilter(**fields["filter"])
    answers = client.trace("QueryRecords", machine=machine, **fields)
    return [r.insn for a in answers for r in a.records]


def test_stored_records_are_found_by_what_they_are(path):
    client = Client(path)
    machine = started(client, 1000, 0)
    wait_for(client, machine, ENDED)
    every = range(1000)
    rows = [
        ({}, list(range(1001))),
        ({"filter": {"overflows": True}}, [n for n in every if n % 7 == 0]),
        ({"filter": {"traps": True}}, [n for n in every if n % 7]),
        ({"filter": {"stops": True}}, [1000]),
        ({"filter": {"console": True}}, []),
        ({"filter": {"harts": [1, 3], "traps": True}},
         [n for n in every if n % 7 and n % 4 in (1, 3)]),
        ({"filter": {"harts": [64]}}, []),
        ({"filter": {"counters": [4], "overflows": True}},
         [n for n in every if n % 7 == 0 and n // 7 % 3 == 1]),
        ({"first_cycle": 100, "last_cycle": 129}, [10, 11, 12]),
        ({"first_cycle": 9995}, [1000]),
        ({"last_cycle": 10, "limit": 1}, [0]),
        ({"limit": 600, "filter": {"traps": True}},
         [n for n in every if n % 7][:600]),
        ({"first_cycle": 20, "last_cycle": 10}, []),
    ]  # fmt: skip
    for fields, want in rows:
        assert query(client, machine, **fields) == want, fields


def test_a_search_that_finds_nothing_lets_others_in_between(path):
    client, other = Client(path), Client(path)
    machine = started(client, MANY, 0)
    wait_for(client, machine, ENDED)
    assert query(client, machine, filter={"console": True}) == []
    assert other.machine("GetMachine", machine=machine).machine.id == machine


def test_a_machine_has_so_many_readers_and_no_more(path):
    client = Client(path)
    machine = client.create().id
    watches = [client.machine("WatchMachine", machine=machine) for _ in range(64)]
    for watch in watches:
        next(watch)
    for method in ("WatchMachine", "ReadConsole"):
        refused(
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "as many readers",
            client.machine,
            method,
            machine=machine,
        )
    refused(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "as many readers",
        upload(client, machine, []).result,
    )
    watches[0].cancel()
    for _ in range(100):  # the cancellation is on its way
        stream = client.machine("WatchMachine", machine=machine)
        try:
            next(stream)
            return
        except grpc.RpcError:
            pass
    raise AssertionError("no reader has left")


def upload(client, machine, chunks, held=False):
    """Return a LoadImage in progress; held: its end never comes."""

    def parts():
        start = machines.ImageStart(machine=machine, total_bytes=100)
        yield machines.LoadImageRequest(start=start)
        for chunk in chunks:
            yield machines.LoadImageRequest(chunk=chunk)
        if held:
            harness.forever()

    return client.channel.stream_unary(
        "/pmu.v1.MachineService/LoadImage",
        request_serializer=lambda m: m.SerializeToString(),
        response_deserializer=machines.LoadImageResponse.FromString,
    ).future(parts(), timeout=60)


def test_deletion_ends_a_creation(path):
    client, other = Client(path), Client(path)
    creation = client.create_later("never")
    harness.until(lambda: len(other.machine("ListMachines").machines) == 1)
    other.machine("DeleteMachine", machine="m1")
    refused(grpc.StatusCode.UNAVAILABLE, "deleted", creation.result)


def test_a_creation_that_is_cancelled_leaves_nothing(path):
    client, other = Client(path), Client(path)
    creation = client.create_later("never", detach=True)
    harness.until(lambda: len(other.machine("ListMachines").machines) == 1)
    creation.cancel()
    harness.until(lambda: not other.machine("ListMachines").machines)
    harness.until(lambda: not harness.children_of_pmud())


def test_deletion_ends_an_upload(path):
    for how, chunks in (("", []), ("", [b"x"]), ("held", [b"x"])):
        client, other = Client(path), Client(path)
        machine = client.create(how).id
        loading = upload(client, machine, chunks, held=True)
        # a call answered behind it: the upload has come in
        other.machine("GetMachine", machine=machine)
        client.machine("GetMachine", machine=machine)
        other.machine("DeleteMachine", machine=machine)
        try:
            loading.result()
            raise AssertionError("the upload succeeded")
        except grpc.RpcError as error:
            # its first message may have come before or behind the deletion
            assert "deleted" in error.details() or "no machine" in error.details()


def test_deletion_ends_streams_in_good_order(path):
    client, other = Client(path), Client(path)
    machine = client.create().id
    live = client.trace("StreamRecords", machine=machine)
    watch = client.machine("WatchMachine", machine=machine)
    next(live)
    next(watch)
    console = client.machine("ReadConsole", machine=machine)
    other.machine("GetMachine", machine=machine)
    client.machine("GetMachine", machine=machine)
    other.machine("DeleteMachine", machine=machine)
    assert not list(live)
    assert all(m.machine.id == machine for m in watch)
    try:
        assert not list(console)
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.NOT_FOUND
    assert not other.machine("ListMachines").machines


def test_deletion_ends_a_stream_that_waits_for_its_reader(path):
    client, other = Client(path), Client(path)
    machine = client.create(f"records {MANY} {BIG}", when_full=ROTATE).id
    live = client.trace("StreamRecords", machine=machine)
    next(live)
    other.machine("StartMachine", machine=machine)
    wait_for(other, machine, WAITING)
    stored = other.trace("QueryRecords", machine=machine)
    next(stored)
    other.machine("DeleteMachine", machine=machine)
    numbers, lost = read_all(live)
    assert not lost and numbers == list(range(len(numbers)))
    list(stored)
    assert not harness.children_of_pmud()


def test_a_connection_that_closes_takes_its_machine_and_streams_along(path):
    client, other = Client(path), Client(path)
    machine = client.create(f"records {MANY} {BIG}", when_full=ROTATE).id
    streams = [
        client.trace("StreamRecords", machine=machine),
        client.machine("WatchMachine", machine=machine),
        client.machine("ReadConsole", machine=machine),
    ]
    next(streams[0])
    loading = upload(client, machine, [b"x"], held=True)
    mine = other.trace("StreamRecords", machine=machine, drop=True)
    next(mine)
    other.machine("StartMachine", machine=machine)
    client.close()
    del loading
    read_all(mine)
    harness.until(lambda: not other.machine("ListMachines").machines)


if __name__ == "__main__":
    sys.exit(harness.run(globals(), "--trace-bytes", str(1 << 20)))
