/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every method there is, once: those of the public services, and those that
 * pmud alone asks of a machine's process. A row: package and service, the
 * method and its name in C; its place, that is who answers it
 * (METHODS_OF_PMUD() of methods.h), what it needs (enum method_needs). How it
 * streams, the protocol says (method-facts.py).
 *
 * METHODS(ROW, DO) makes ROW(DO, package, service, ...) of each; DO is passed
 * on, for a ROW that picks some.
 */
#ifndef METHODS_METHOD_ROWS_H
#define METHODS_METHOD_ROWS_H

#define METHODS_Machine(ROW, DO)                                               \
	ROW(DO, V1, Machine, CreateMachine, create_machine, PMUD, CALLER)      \
	ROW(DO, V1, Machine, LoadImage, load_image, BOTH, CONFIGURED)          \
	ROW(DO, V1, Machine, QueueInputs, queue_inputs, BOTH, CONFIGURED)      \
	ROW(DO, V1, Machine, StartMachine, start_machine, MACHINE, CONFIGURED) \
	ROW(DO, V1, Machine, PauseMachine, pause_machine, MACHINE, CONFIGURED) \
	ROW(DO, V1, Machine, ResumeMachine, resume_machine, MACHINE,           \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, StepMachine, step_machine, MACHINE, CONFIGURED)   \
	ROW(DO, V1, Machine, RunUntil, run_until, MACHINE, CONFIGURED)         \
	ROW(DO, V1, Machine, SetBreakpoints, set_breakpoints, MACHINE,         \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, GetMachine, get_machine, BOTH, CONFIGURED)        \
	ROW(DO, V1, Machine, GetDeviceTree, get_device_tree, MACHINE,          \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, ListMachines, list_machines, PMUD, CALLER)        \
	ROW(DO, V1, Machine, WatchMachine, watch_machine, PMUD, CALLER)        \
	ROW(DO, V1, Machine, DetachMachine, detach_machine, PMUD, CALLER)      \
	ROW(DO, V1, Machine, DeleteMachine, delete_machine, PMUD, CALLER)      \
	ROW(DO, V1, Machine, ReadConsole, read_console, PMUD, CALLER)          \
	ROW(DO, V1, Machine, WriteConsole, write_console, MACHINE, ROOM)       \
	ROW(DO, V1, Machine, ListSettings, list_settings, PMUD, ANYBODY)

#define METHODS_Hart(ROW, DO)                                                  \
	ROW(DO, V1, Hart, ListHarts, list_harts, MACHINE, CONFIGURED)          \
	ROW(DO, V1, Hart, ReadCsr, read_csr, MACHINE, CONFIGURED)              \
	ROW(DO, V1, Hart, WriteCsr, write_csr, MACHINE, ROOM)                  \
	ROW(DO, V1, Hart, ListCsrs, list_csrs, MACHINE, CONFIGURED)            \
	ROW(DO, V1, Hart, ReadRegisters, read_registers, MACHINE, CONFIGURED)  \
	ROW(DO, V1, Hart, WriteRegister, write_register, MACHINE, ROOM)        \
	ROW(DO, V1, Hart, ReadMemory, read_memory, MACHINE, CONFIGURED)        \
	ROW(DO, V1, Hart, WriteMemory, write_memory, MACHINE, ROOM)

#define METHODS_Sbi(ROW, DO) ROW(DO, V1, Sbi, CallSbi, call_sbi, MACHINE, ROOM)

#define METHODS_Event(ROW, DO)                                                 \
	ROW(DO, V1, Event, ListEvents, list_events, PMUD, ANYBODY)             \
	ROW(DO, V1, Event, ReadTotals, read_totals, MACHINE, CONFIGURED)       \
	ROW(DO, V1, Event, ExplainMisses, explain_misses, MACHINE, CONFIGURED) \
	ROW(DO, V1, Event, ListCounters, list_counters, MACHINE, CONFIGURED)   \
	ROW(DO, V1, Event, ExplainCounter, explain_counter, MACHINE,           \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Event, InjectEvents, inject_events, MACHINE, ROOM)         \
	ROW(DO, V1, Event, ListInjections, list_injections, MACHINE,           \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Event, CancelInjection, cancel_injection, MACHINE,         \
	    CONFIGURED)

#define METHODS_Trace(ROW, DO)                                                 \
	ROW(DO, V1, Trace, StreamRecords, stream_records, PMUD, CALLER)        \
	ROW(DO, V1, Trace, QueryRecords, query_records, PMUD, CALLER)          \
	ROW(DO, V1, Trace, SampleEvents, sample_events, PMUD, CALLER)          \
	ROW(DO, V1, Trace, EndSampling, end_sampling, PMUD, CALLER)

#define METHODS_Symbol(ROW, DO)                                                \
	ROW(DO, V1, Symbol, DescribeAddresses, describe_addresses, MACHINE,    \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Symbol, FindSymbol, find_symbol, MACHINE, CONFIGURED)      \
	ROW(DO, V1, Symbol, FindRanges, find_ranges, MACHINE, CONFIGURED)      \
	ROW(DO, V1, Symbol, ReadKernelSymbols, read_kernel_symbols, MACHINE,   \
	    CONFIGURED)

#define METHODS_Ebb(ROW, DO)                                                   \
	ROW(DO, V1, Ebb, OpenEbb, open_ebb, BOTH, ROOM)                        \
	ROW(DO, V1, Ebb, ActOnEbb, act_on_ebb, MACHINE, ROOM)                  \
	ROW(DO, V1, Ebb, ReadEbb, read_ebb, MACHINE, CONFIGURED)

#define METHODS_System(ROW, DO)                                                \
	ROW(DO, V1, System, GetVersion, get_version, PMUD, ANYBODY)

#define METHODS_Process(ROW, DO)                                               \
	ROW(DO, Internal, Process, Configure, configure, INTERNAL, CALLER)     \
	ROW(DO, Internal, Process, SetRecording, set_recording, INTERNAL,      \
	    CONFIGURED)                                                        \
	ROW(DO, Internal, Process, EndEbb, end_ebb, INTERNAL, CONFIGURED)      \
	ROW(DO, Internal, Process, AttachEbbRing, attach_ebb_ring, INTERNAL,   \
	    CONFIGURED)                                                        \
	ROW(DO, Internal, Process, StartSampling, start_sampling, INTERNAL,    \
	    CONFIGURED)                                                        \
	ROW(DO, Internal, Process, StopSampling, stop_sampling, INTERNAL,      \
	    CONFIGURED)

/* All of them; the public ones first. */
#define METHODS(ROW, DO)                                                       \
	METHODS_Machine(ROW, DO) METHODS_Hart(ROW, DO) METHODS_Sbi(ROW, DO)    \
		METHODS_Event(ROW, DO) METHODS_Trace(ROW, DO)                  \
			METHODS_Symbol(ROW, DO) METHODS_Ebb(ROW, DO)           \
				METHODS_System(ROW, DO)                        \
					METHODS_Process(ROW, DO)

#endif
