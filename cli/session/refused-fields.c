/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each field of the requests, and the options that set it. Fields of arguments
 * and those that pmuctl fills by itself have none, and their texts name what is
 * wrong.
 */
#include "refused.h"

#define ONE(field, a)                                                          \
	{                                                                      \
		field, 1,                                                      \
		{                                                              \
			OPTION_##a                                             \
		}                                                              \
	}
#define TWO(field, a, b)                                                       \
	{                                                                      \
		field, 2,                                                      \
		{                                                              \
			OPTION_##a, OPTION_##b                                 \
		}                                                              \
	}
#define THREE(field, a, b, c)                                                  \
	{                                                                      \
		field, 3,                                                      \
		{                                                              \
			OPTION_##a, OPTION_##b, OPTION_##c                     \
		}                                                              \
	}
#define NONE(field)                                                            \
	{                                                                      \
		field, 0,                                                      \
		{                                                              \
			OPTION_ADDRESS                                         \
		}                                                              \
	}

const struct refused_field refused_fields[] = {
	ONE("machine", MACHINE),
	ONE("detach", DETACH),
	ONE("config.harts", HARTS),
	ONE("config.memory_bytes", MEMORY),
	ONE("config.start_mode", MODE),
	ONE("config.settings.key", SET),
	ONE("config.settings.value", SET),
	ONE("config.bootargs", APPEND),
	NONE("config.recorded"),
	ONE("recording.traps", RECORD),
	ONE("recording.sbi_calls", RECORD),
	NONE("recording.end_when_full"),
	ONE("recording.samplers.event", EVENT),
	ONE("recording.samplers.privileges", EVENT),
	ONE("recording.samplers.period", PERIOD),
	ONE("recording.samplers.callers", CALLERS),
	ONE("recording.samplers.registers", REGISTERS),
	ONE("recording.samplers.name", EVENT),
	ONE("recording.samplers.stack_bytes", STACK),
	ONE("recording.samplers.summed", EXACT),
	ONE("recording.when_full", WHEN_FULL),
	ONE("recording.trace_bytes", TRACE_BYTES),
	ONE("recording.processes", RECORD),
	ONE("recording.csr_accesses", RECORD),
	ONE("recording.deliveries", RECORD),
	ONE("recording.sbi_memory", RECORD),
	NONE("start.machine"),
	NONE("start.kind"),
	ONE("start.address", FLAT),
	NONE("start.total_bytes"),
	ONE("start.entry", ENTRY),
	NONE("chunk"),
	ONE("paused", PAUSED),
	ONE("insns", COUNT),
	TWO("hart", HART, EXPLAIN),
	NONE("trap_ends"),
	THREE("insn", INSN, AT_INSN, AT),
	TWO("cycle", CYCLE, AT),
	THREE("pc", PC, AT_PC, AT),
	NONE("pcs"),
	NONE("watchpoints.address"),
	NONE("watchpoints.bytes"),
	NONE("watchpoints.loads"),
	NONE("watchpoints.stores"),
	NONE("guest"),
	NONE("offset"),
	ONE("port", SERIAL),
	NONE("data"),
	ONE("eof", EOF),
	NONE("number"),
	NONE("name"),
	NONE("part"),
	ONE("function", FUNCTION),
	ONE("line.file", LINE),
	ONE("line.line", LINE),
	NONE("value"),
	NONE("address"),
	NONE("size"),
	ONE("virtual", VIRTUAL),
	ONE("event", EVENT),
	ONE("count", NUMBER),
	ONE("repeat", REPEAT),
	NONE("harts"),
	NONE("privileges"),
	ONE("limit", LIMIT),
	ONE("index", EXPLAIN),
	NONE("injection"),
	ONE("filter.overflows", KIND),
	ONE("filter.traps", KIND),
	ONE("filter.sbi_calls", KIND),
	ONE("filter.console", KIND),
	ONE("filter.inputs", KIND),
	ONE("filter.hart_changes", KIND),
	ONE("filter.stops", KIND),
	ONE("filter.harts", HART),
	ONE("filter.counters", COUNTER),
	ONE("filter.resets", KIND),
	ONE("filter.absences", KIND),
	ONE("filter.deliveries", KIND),
	ONE("filter.ebb_deliveries", KIND),
	NONE("filter.ebb_session"),
	ONE("filter.samples", KIND),
	THREE("filter.addresses.first", RANGE, FUNCTION, LINE),
	THREE("filter.addresses.last", RANGE, FUNCTION, LINE),
	ONE("filter.csr_accesses", KIND),
	ONE("drop", DROP),
	ONE("from_start", FROM_START),
	ONE("first_cycle", FIRST_CYCLE),
	ONE("last_cycle", LAST_CYCLE),
	ONE("first_record", FIRST_RECORD),
	ONE("samplers.event", EVENT),
	ONE("samplers.privileges", EVENT),
	ONE("samplers.period", PERIOD),
	ONE("samplers.callers", CALLERS),
	ONE("samplers.registers", REGISTERS),
	ONE("samplers.name", EVENT),
	ONE("samplers.stack_bytes", STACK),
	ONE("samplers.summed", EXACT),
	NONE("session"),
	NONE("eid"),
	NONE("fid"),
	NONE("args"),
	NONE("addresses"),
	NONE("first"),
	/* whole parts, of which some element or none of a oneof is wrong */
	ONE("line", LINE),
	NONE("of"),
	ONE("filter", KIND),
	THREE("filter.addresses", RANGE, FUNCTION, LINE),
	ONE("recording.samplers", EVENT),
	ONE("samplers", EVENT),
	NONE(NULL),
};
