/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every method there is, once: those of the public services, and those that
 * pmud alone asks of a machine's process. A row: package and service, the
 * method and its name in C; who answers it, how it streams, what it needs
 * (enums method_place, method_kind and method_needs of methods.h).
 *
 * METHODS(ROW, DO) makes ROW(DO, package, service, ...) of each; DO is passed
 * on, for a ROW that picks some.
 */
#ifndef METHODS_METHOD_ROWS_H
#define METHODS_METHOD_ROWS_H

#define METHODS_Machine(ROW, DO)                                               \
	ROW(DO, V1, Machine, CreateMachine, create_machine, PMUD, UNARY,       \
	    CALLER)                                                            \
	ROW(DO, V1, Machine, LoadImage, load_image, BOTH, CLIENT_STREAM,       \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, QueueInputs, queue_inputs, BOTH, CLIENT_STREAM,   \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, StartMachine, start_machine, MACHINE, UNARY,      \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, PauseMachine, pause_machine, MACHINE, UNARY,      \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, ResumeMachine, resume_machine, MACHINE, UNARY,    \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, StepMachine, step_machine, MACHINE, UNARY,        \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, RunUntil, run_until, MACHINE, UNARY, CONFIGURED)  \
	ROW(DO, V1, Machine, SetBreakpoints, set_breakpoints, MACHINE, UNARY,  \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, GetMachine, get_machine, BOTH, UNARY, CONFIGURED) \
	ROW(DO, V1, Machine, GetDeviceTree, get_device_tree, MACHINE, UNARY,   \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Machine, ListMachines, list_machines, PMUD, UNARY, CALLER) \
	ROW(DO, V1, Machine, WatchMachine, watch_machine, PMUD, SERVER_STREAM, \
	    CALLER)                                                            \
	ROW(DO, V1, Machine, DetachMachine, detach_machine, PMUD, UNARY,       \
	    CALLER)                                                            \
	ROW(DO, V1, Machine, DeleteMachine, delete_machine, PMUD, UNARY,       \
	    CALLER)                                                            \
	ROW(DO, V1, Machine, ReadConsole, read_console, PMUD, SERVER_STREAM,   \
	    CALLER)                                                            \
	ROW(DO, V1, Machine, WriteConsole, write_console, MACHINE, UNARY,      \
	    ROOM)                                                              \
	ROW(DO, V1, Machine, ListSettings, list_settings, PMUD, UNARY, ANYBODY)

#define METHODS_Hart(ROW, DO)                                                  \
	ROW(DO, V1, Hart, ListHarts, list_harts, MACHINE, UNARY, CONFIGURED)   \
	ROW(DO, V1, Hart, ReadCsr, read_csr, MACHINE, UNARY, CONFIGURED)       \
	ROW(DO, V1, Hart, WriteCsr, write_csr, MACHINE, UNARY, ROOM)           \
	ROW(DO, V1, Hart, ListCsrs, list_csrs, MACHINE, UNARY, CONFIGURED)     \
	ROW(DO, V1, Hart, ReadRegisters, read_registers, MACHINE, UNARY,       \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Hart, WriteRegister, write_register, MACHINE, UNARY, ROOM) \
	ROW(DO, V1, Hart, ReadMemory, read_memory, MACHINE, UNARY, CONFIGURED) \
	ROW(DO, V1, Hart, WriteMemory, write_memory, MACHINE, UNARY, ROOM)

#define METHODS_Sbi(ROW, DO)                                                   \
	ROW(DO, V1, Sbi, CallSbi, call_sbi, MACHINE, UNARY, ROOM)

#define METHODS_Event(ROW, DO)                                                 \
	ROW(DO, V1, Event, ListEvents, list_events, PMUD, UNARY, ANYBODY)      \
	ROW(DO, V1, Event, ReadTotals, read_totals, MACHINE, UNARY,            \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Event, ListCounters, list_counters, MACHINE, UNARY,        \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Event, ExplainCounter, explain_counter, MACHINE, UNARY,    \
	    CONFIGURED)

#define METHODS_Trace(ROW, DO)                                                 \
	ROW(DO, V1, Trace, StreamRecords, stream_records, PMUD, SERVER_STREAM, \
	    CALLER)                                                            \
	ROW(DO, V1, Trace, QueryRecords, query_records, PMUD, SERVER_STREAM,   \
	    CALLER)

#define METHODS_Symbol(ROW, DO)                                                \
	ROW(DO, V1, Symbol, DescribeAddresses, describe_addresses, MACHINE,    \
	    UNARY, CONFIGURED)                                                 \
	ROW(DO, V1, Symbol, FindSymbol, find_symbol, MACHINE, UNARY,           \
	    CONFIGURED)                                                        \
	ROW(DO, V1, Symbol, ReadKernelSymbols, read_kernel_symbols, MACHINE,   \
	    UNARY, CONFIGURED)

#define METHODS_Ebb(ROW, DO)                                                   \
	ROW(DO, V1, Ebb, OpenEbb, open_ebb, BOTH, SERVER_STREAM, ROOM)         \
	ROW(DO, V1, Ebb, ActOnEbb, act_on_ebb, MACHINE, UNARY, ROOM)           \
	ROW(DO, V1, Ebb, ReadEbb, read_ebb, MACHINE, UNARY, CONFIGURED)

#define METHODS_System(ROW, DO)                                                \
	ROW(DO, V1, System, GetVersion, get_version, PMUD, UNARY, ANYBODY)

#define METHODS_Process(ROW, DO)                                               \
	ROW(DO, Internal, Process, Configure, configure, INTERNAL, UNARY,      \
	    CALLER)                                                            \
	ROW(DO, Internal, Process, SetRecording, set_recording, INTERNAL,      \
	    UNARY, CONFIGURED)                                                 \
	ROW(DO, Internal, Process, EndEbb, end_ebb, INTERNAL, UNARY, CONFIGURED)

/* All of them; the public ones first. */
#define METHODS(ROW, DO)                                                       \
	METHODS_Machine(ROW, DO) METHODS_Hart(ROW, DO) METHODS_Sbi(ROW, DO)    \
		METHODS_Event(ROW, DO) METHODS_Trace(ROW, DO)                  \
			METHODS_Symbol(ROW, DO) METHODS_Ebb(ROW, DO)           \
				METHODS_System(ROW, DO)                        \
					METHODS_Process(ROW, DO)

#endif
