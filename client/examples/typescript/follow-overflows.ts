// SPDX-License-Identifier: BSD-2-Clause
/*
 * Lists pmud's machines, or follows the overflows of one, in TypeScript.
 *
 * usage: node follow-overflows.js SOCKET [MACHINE]
 *
 * pmu/v1/*.ts are what protoc makes of the protocol: docs/CLIENT-CODE.md has the
 * command.
 */
import { ChannelCredentials } from "@grpc/grpc-js";
import { GrpcTransport } from "@protobuf-ts/grpc-transport";
import { RpcError } from "@protobuf-ts/runtime-rpc";
import { MachineState } from "./pmu/v1/common";
import { MachineServiceClient } from "./pmu/v1/machines.client";
import { Place } from "./pmu/v1/symbols";
import { SymbolServiceClient } from "./pmu/v1/symbols.client";
import { Record, RecordFilter } from "./pmu/v1/traces";
import { TraceServiceClient } from "./pmu/v1/traces.client";

const AT_ONCE = 4096; // addresses that one call may ask for

/* Functions and source lines of a machine; pmud is asked once for each. */
class Lines {
	private readonly client: SymbolServiceClient;
	private readonly known = new Map<bigint, Place>();

	constructor(transport: GrpcTransport, private readonly machine: string) {
		this.client = new SymbolServiceClient(transport);
	}

	async ask(wanted: bigint[]): Promise<void> {
		const fresh = [...new Set(wanted)].filter((a) => !this.known.has(a));

		for (let i = 0; i < fresh.length; i += AT_ONCE) {
			const { response } = await this.client.describeAddresses({
				machine: this.machine,
				addresses: fresh.slice(i, i + AT_ONCE),
				of: { oneofKind: undefined }, // of no hart's process
			});
			for (const place of response.places)
				this.known.set(place.address, place);
		}
	}

	text(address: bigint): string {
		const place = this.known.get(address);

		if (!place || !place.function)
			return "[unknown]";
		const name = `${place.function}+0x${place.offset.toString(16)}`;
		return place.file ? `${name} ${place.file}:${place.line || "?"}` : name;
	}
}

async function listMachines(transport: GrpcTransport): Promise<void> {
	const client = new MachineServiceClient(transport);
	const { response } = await client.listMachines({});

	for (const m of response.machines)
		console.log(m.id, MachineState[m.state].toLowerCase(),
			m.insn.toString());
}

/* One of the record's kinds is set; overflows are all that was asked for. */
function overflowOf(record: Record) {
	if (record.kind.oneofKind !== "overflow")
		throw new Error("a record that was not asked for");
	return record.kind.overflow;
}

async function follow(transport: GrpcTransport, machine: string): Promise<void> {
	const lines = new Lines(transport, machine);
	// drop: false, no record is lost, a slow reader makes the machine wait
	const call = new TraceServiceClient(transport).streamRecords({
		machine,
		filter: RecordFilter.create({ overflows: true }),
		drop: false,
		fromStart: true,
	});

	for await (const { item } of call.responses) {
		if (item.oneofKind !== "batch")
			continue;
		const records = item.batch.records;
		await lines.ask(records.map((r) => overflowOf(r).lastPc));
		for (const r of records) {
			const o = overflowOf(r);
			console.log(`hart ${r.hart} counter ${o.counter} ${o.event}`,
				`cycle ${r.cycle} 0x${o.lastPc.toString(16)}`,
				lines.text(o.lastPc));
		}
	}
	await call;
}

async function main(socket: string, machine?: string): Promise<void> {
	const transport = new GrpcTransport({
		host: `unix:${socket}`,
		channelCredentials: ChannelCredentials.createInsecure(),
	});

	try {
		if (machine === undefined)
			await listMachines(transport);
		else
			await follow(transport, machine);
	} catch (error) {
		if (!(error instanceof RpcError))
			throw error;
		console.error(`${error.code}: ${error.message}`);
		process.exitCode = 1;
	} finally {
		transport.close();
	}
}

const [socket, machine, ...rest] = process.argv.slice(2);
if (socket === undefined || rest.length > 0) {
	console.error("usage: node follow-overflows.js SOCKET [MACHINE]");
	process.exit(2);
}
main(socket, machine);
