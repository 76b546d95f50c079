/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All options of all commands, once: their names, what their values are and
 * what the help says of them.
 */
#include "args-rows.h"

#define ROW(OPT, key, kind, field, name, arg, help)                            \
	[OPTION_##OPT] = { key,	 TYPE_##kind, offsetof(struct args, field),    \
			   name, arg,	      help }

const struct option_row args_rows[N_OPTIONS] = {
	ROW(ADDRESS, 'a', TEXT, address, "address", "[unix://]PATH",
	    "The daemon's socket (default: $PMUD_ADDRESS, then "
	    "$XDG_RUNTIME_DIR/pmud.sock, then /run/pmud/pmud.sock); `private' "
	    "starts one for this command"),
	ROW(JSON, 'j', FLAG, json, "json", NULL, "Print JSON, not tables"),
	ROW(TIMEOUT, 0, SECONDS, timeout, "timeout", "SECONDS",
	    "Give up when a call is not answered in this time"),
	ROW(QUIET, 'q', FLAG, quiet, "quiet", NULL,
	    "No notes on stderr, only errors"),
	ROW(COLOR, 0, TEXT, color, "color", "auto|always|never",
	    "Colours: on a terminal without $NO_COLOR (auto, the default), "
	    "always or never"),
	ROW(NO_PAGER, 0, FLAG, no_pager, "no-pager", NULL,
	    "Long tables go straight to the terminal, not to $PAGER"),
	ROW(NO_HEADINGS, 0, FLAG, no_headings, "no-headings", NULL,
	    "Tables without the line that names their columns"),
	ROW(MACHINE, 'm', TEXT, machine, "machine", "MACHINE",
	    "The machine, as `pmuctl machine list' names it"),
	ROW(HART, 0, NUMBER, hart, "hart", "N", "The hart (default: 0)"),
	ROW(HARTS, 0, NUMBER, harts, "harts", "N", "Number of harts"),
	ROW(MEMORY, 0, SIZE, memory, "memory", "SIZE",
	    "RAM in bytes, or with K, M, G as in 64MiB"),
	ROW(MODE, 0, TEXT, mode, "mode", "s|m",
	    "Start in S-mode on the firmware model, or in M-mode with none"),
	ROW(SET, 's', SET, set, "set", "KEY=VALUE",
	    "Set a machine setting (see `pmuctl list settings'), or one of "
	    "hart N as hartN.KEY=VALUE; repeatable"),
	ROW(MAX_INSNS, 0, COUNT, max_insns, "max-insns", "N",
	    "End the run (124) after N retired instructions of all harts"),
	ROW(MAX_CYCLES, 0, COUNT, max_cycles, "max-cycles", "N",
	    "End the run (124) at cycle N of the machine's clock"),
	ROW(STOP_ON_TRAP_LOOP, 0, FLAG, stop_on_trap_loop, "stop-on-trap-loop",
	    NULL,
	    "End the run (125) when a hart takes one trap again and again, "
	    "with "
	    "no instruction in between"),
	ROW(DTB, 0, TEXT, dtb, "dtb", "FILE",
	    "This device tree instead of the generated one"),
	ROW(FLAT, 0, NUMBER, flat, "flat", "ADDR",
	    "The image is raw bytes for this physical address"),
	ROW(ENTRY, 0, NONZERO, entry, "entry", "ADDR",
	    "Execution begins at this physical address (default: where the "
	    "first image says)"),
	ROW(BIOS, 0, TEXT, bios, "bios", "FILE",
	    "Begin in M-mode with this firmware, such as OpenSBI's fw_dynamic, "
	    "fw_jump or fw_payload; it starts the IMAGE or --kernel"),
	ROW(KERNEL, 0, TEXT, kernel, "kernel", "FILE",
	    "Boot this Linux kernel, an Image or one in gzip: 512MiB of RAM "
	    "and a command line for --console, unless told otherwise"),
	ROW(INITRD, 0, TEXT, initrd, "initrd", "FILE",
	    "The kernel's initial RAM disk"),
	ROW(ADD, 0, LIST, add, "add", "FILE:PATH",
	    "Append FILE to the initrd as PATH, with the directories that "
	    "lead there; repeatable"),
	ROW(APPEND, 0, TEXT, append, "append", "TEXT",
	    "Put this at the end of the kernel's command line"),
	ROW(CONSOLE, 0, TEXT, console, "console", "uart|dbcn",
	    "What the kernel's console is: the UART (the default) or the "
	    "firmware"),
	ROW(BATCH, 0, FLAG, batch, "batch", NULL,
	    "Give the guest no input, and end the run (122) when it reboots, "
	    "as a kernel does that panics"),
	ROW(NO_REBOOT, 0, FLAG, no_reboot, "no-reboot", NULL,
	    "A reboot ends the run (122)"),
	ROW(STAT, 0, FLAG, stat, "stat", NULL,
	    "Print events per hart and privilege and the guest's counters"),
	ROW(OUTPUT, 'o', TEXT, output, "output", "FILE",
	    "Write what --stat and --explain print, or what was read (memory, "
	    "a device tree, symbols) or exported, to FILE"),
	ROW(SERIAL, 0, TEXT, serial, "serial", "FILE",
	    "Give the machine a second UART, and write what it sends to "
	    "FILE"),
	ROW(TRACE, 0, TEXT, trace, "trace", "FILE",
	    "Write the trace of the run to FILE"),
	ROW(REPLAY, 0, TEXT, replay, "replay", "FILE",
	    "Repeat the run that FILE is the trace of: its machine, unless "
	    "options say otherwise, and its inputs"),
	ROW(DETACH, 0, FLAG, detach, "detach", NULL,
	    "Leave the machine running and print its name"),
	ROW(PAUSED, 0, FLAG, paused, "paused", NULL,
	    "Stop before the first instruction"),
	ROW(SYMBOLS, 0, TEXT, symbols, "symbols", "FILE|kallsyms",
	    "Name functions by this ELF file or System.map, or by what the "
	    "Linux kernel of --machine keeps of itself"),
	ROW(USER_SYMBOLS, 0, LIST, user_symbols, "user-symbols", "FILE[@WHERE]",
	    "Name functions of users' programs by this ELF file, WHERE being "
	    "SATP or SATP:BASE: in the address space SATP (default: any), with "
	    "its address 0 at BASE; repeatable"),
	ROW(GUEST_SYMBOLS, 0, TEXT, guest_symbols, "guest-symbols", "FILE",
	    "Name functions of VS and VU, a hypervisor's guest, by this ELF "
	    "file or System.map; --symbols does not, and a note says so"),
	ROW(KIND, 'k', TEXT, kind, "kind", "KIND[,KIND]",
	    "Only overflow, sample, trap, sbi, csr, delivery, console, input, "
	    "hart, ebb, reset, absent or stop records"),
	ROW(COUNTER, 0, NUMBER, counter, "counter", "N",
	    "Only overflows of this counter, and deliveries of them"),
	ROW(FROM_START, 0, FLAG, from_start, "from-start", NULL,
	    "Begin with the records that are stored"),
	ROW(DROP, 0, FLAG, drop, "drop", NULL,
	    "Lose records rather than make the machine wait"),
	ROW(FIRST_CYCLE, 0, COUNT, first_cycle, "first-cycle", "N",
	    "Only records from this cycle on"),
	ROW(LAST_CYCLE, 0, COUNT, last_cycle, "last-cycle", "N",
	    "Only records up to this cycle"),
	ROW(LIMIT, 'n', POSITIVE, limit, "limit", "N", "At most N records"),
	ROW(FIRST_RECORD, 0, COUNT, first_record, "first-record", "N",
	    "Only records from this number on, the first being 0"),
	ROW(FUNCTION, 0, LIST, function, "function", "NAME",
	    "Only what happened in this function of --symbols, or else of the "
	    "machine's files; repeatable, as are --line and --range: where one "
	    "of them holds"),
	ROW(LINE, 0, LIST, line, "line", "FILE:LINE",
	    "Only what happened in this line of the source, by the same"),
	ROW(RANGE, 0, LIST, range, "range", "ADDRESS[-ADDRESS]",
	    "Only what happened at these addresses, the last one included"),
	ROW(INSN, 0, COUNT, insn, "insn", "N",
	    "Run until all harts have retired N instructions"),
	ROW(CYCLE, 0, COUNT, cycle, "cycle", "N",
	    "Run until the clock stands at cycle N or later"),
	ROW(PC, 0, TEXT, pc, "pc", "ADDRESS",
	    "Run until a hart is about to execute at ADDRESS, a number or "
	    "NAME+OFFSET of a symbol"),
	ROW(COUNT, 'c', COUNT, count, "count", "N",
	    "Number of instructions (default: 1)"),
	ROW(VIRTUAL, 0, FLAG, virtual, "virtual", NULL,
	    "The address is virtual, as the hart translates it now"),
	ROW(EOF, 0, FLAG, eof, "eof", NULL, "No more input will follow"),
	ROW(FORCE, 0, FLAG, force, "force", NULL,
	    "Take names from a file of --symbols or --sysroot though it is not "
	    "the one that ran"),
	ROW(RECORD, 0, TEXT, record, "record", "WHAT[,WHAT]",
	    "Store records of traps (trap), SBI calls (sbi), accesses to CSRs "
	    "(csr) and overflows that the guest was told of (delivery), too; "
	    "SBI calls with the guest memory that they read and wrote "
	    "(sbi-memory); with overflows and samples, which process of Linux "
	    "runs "
	    "(process); all or none (default: none, with --kernel process, "
	    "with --trace trap,sbi,process)"),
	ROW(WHEN_FULL, 0, TEXT, when_full, "when-full", "hold|rotate|end",
	    "Where records cannot be stored (the trace is as long as it may "
	    "be, a full disk), hold the machine until they can, drop the "
	    "oldest but for inputs, or end it (default: hold). FILE of --trace "
	    "has all records even so, without a limit under rotate"),
	ROW(TRACE_BYTES, 0, SIZE, trace_bytes, "trace-bytes", "SIZE",
	    "Store at most this much of the machine's trace in pmud (default: "
	    "what pmud allows)"),
	ROW(EXPLAIN, 0, LIST, explain, "explain", "HART:COUNTER",
	    "Say why the counter counts or not, at each --at; repeatable"),
	ROW(AT, 0, LIST, at, "at", "POINT",
	    "When to --explain: insn:N, cycle:N, pc:ADDRESS, a symbol of the "
	    "image, or end (the default); repeatable, reached in this order"),
	ROW(LISTEN, 0, TEXT, listen, "listen", "PORT|PATH",
	    "Wait for a debugger at this TCP port of 127.0.0.1 (0: any), or at "
	    "this Unix socket (default: one of its own)"),
	ROW(STDIO, 0, FLAG, stdio, "stdio", NULL,
	    "The debugger is at stdin and stdout: target remote | pmuctl gdb "
	    "--stdio"),
	ROW(EXEC, 0, TEXT, exec, "exec", "GDB",
	    "Run this debugger on it, as in --exec gdb-multiarch"),
	ROW(FORMAT, 0, TEXT, format, "format", "FORMAT",
	    "What to write: folded, json, chrome, cpuprofile, callgrind, "
	    "pprof, ctf, perf or html"),
	ROW(EVENT, 'e', LIST, event, "event", "EVENT[,...]",
	    "Count these events, as `pmuctl list' names them or by number; "
	    "EVENT:MODES in the modes m, s or k, u, of guests (v) or not (H); "
	    "{} around several makes a group; repeatable"),
	ROW(INTERVAL, 'I', TEXT, interval, "interval", "TIME",
	    "Print what was counted in each interval of the guest's time, as "
	    "10ms, 500us, 2s or 1000 cycles as 1000c"),
	ROW(PER_HART, 0, FLAG, per_hart, "per-hart", NULL,
	    "Count each hart by itself"),
	ROW(PER_MODE, 0, FLAG, per_mode, "per-mode", NULL,
	    "Count each privilege mode by itself"),
	ROW(SEPARATOR, 'x', TEXT, separator, "field-separator", "TEXT",
	    "Put TEXT between the fields of a line, for programs"),
	ROW(PERIOD, 'c', COUNT, period, "period", "N",
	    "Record a sample of each N-th event of a hart"),
	ROW(CALLERS, 'g', FLAG, callers, "call-graph", NULL,
	    "With the callers, by what code does to return"),
	ROW(REGISTERS, 0, FLAG, registers, "registers", NULL,
	    "With the registers x0 to x31"),
	ROW(TIME, 0, TEXT, time, "time", "TIME",
	    "Sample the machine for so much of the guest's time, as 10ms, "
	    "500us, 2s or 1000 cycles as 1000c, rather than until Ctrl-C"),
	ROW(EXACT, 0, FLAG, exact, "exact", NULL,
	    "Count every event at its instruction, in one sample for each"),
	ROW(FILTER, 0, TEXT, filter, "filter", "EXPRESSION",
	    "Only records (of record, report, annotate, diff and top: samples) "
	    "of which this holds, as in `cause == 8 && hart != 0': a field "
	    "such as pc, function, privilege, event, kind or error, then ==, "
	    "!=, <, <=, > or >= and a value; between these &&, || and !"),
	ROW(STACK, 0, SIZE, stack, "stack", "SIZE",
	    "With the registers and a copy of so much of the stack, 1 byte to "
	    "64KiB: for `trace unwind'"),
	ROW(NUMBER, 'n', COUNT, number, "number", "N",
	    "How many events (default: 1)"),
	ROW(AT_INSN, 0, COUNT, at_insn, "at-insn", "N",
	    "Behind the N-th instruction that the hart retires"),
	ROW(AT_PC, 0, TEXT, at_pc, "at-pc", "ADDRESS",
	    "Behind the instruction at ADDRESS, a number or NAME+OFFSET of a "
	    "symbol, when the hart next retires it"),
	ROW(REPEAT, 0, FLAG, repeat, "repeat", NULL,
	    "Behind each N-th instruction, each time at ADDRESS"),
	ROW(EXPLAIN_MISSES, 0, COUNT, explain_misses, "explain-misses", "N",
	    "Say why the last N misses of each event were misses, of caches "
	    "and TLBs: cold, capacity or conflict, with address, set, victim "
	    "and line"),
	ROW(NO_PROCESSES, 0, FLAG, no_processes, "no-processes", NULL,
	    "Do not part by processes of Linux what one mode executed"),
	ROW(SYSROOT, 0, TEXT, sysroot, "sysroot", "DIR",
	    "Name functions of a Linux guest's users by the files below DIR "
	    "that have the paths of those that ran"),
	ROW(SORT, 0, TEXT, sort, "sort", "function|process|file",
	    "Count by function (the default), by process of Linux, or by the "
	    "file that users' code is from"),
};
