/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hostile processes: any words in place of those that a kernel has of its
 * tasks, their address spaces, of what they have mapped, and of files, folders
 * and mounts; and in its description of them. Nothing may crash or read outside
 * the memory (the sanitizers watch), what is told can be true, and a question
 * takes so many reads at most.
 */
#include <string.h>

#include "../fuzz/seeds.h"
#include "btf-image.h"
#include "control/mappings.h"
#include "control/processes.h"
#include "counted-reads.h"
#include "mappings-image.h"
#include "tasks-image.h"
#include "unit.h"

enum {
	SEEDS = 10000,	     /* unless told otherwise */
	WORDS = 4,	     /* that one changes at most */
	DESCRIBED = 16,	     /* one of so many changes the description */
	READS_PROCESS = 6,   /* at most, for a task */
	READS_RECALLED = 8,  /* and for its address space */
	READS_ADDRESS = 350, /* of nodes, an area, a file and its path */
	FROM = TASK & ~7,
	END = MAPPED_NAMES + 0x1000,
	STACK = 64 * 8,
	DESCRIPTION = 0x800, /* bytes, of either */
	BYTES = MAPPED_BTF + DESCRIPTION,
};

static uint8_t good[BYTES];
static uint64_t state;
static uint64_t below(uint64_t n)
{
	return (fuzz_random(&state) >> 32) % n;
}

/* Spoiling */

static const size_t structures[] = {
	TASK,	      LEADER,	    OTHER,
	MAPPED_MM,    MAPPED_TREE,  MAPPED_LEAF,
	MAPPED_AREA,  MAPPED_OTHER, MAPPED_FILE,
	MAPPED_INODE, MAPPED_BIN,   MAPPED_PROG,
	MAPPED_TOP,   MAPPED_ROOT,  MAPPED_USR,
	MAPPED_MOUNT, MAPPED_NAMES, MAPPED_ROOT_MOUNT,
};

static size_t any_structure(void)
{
	return structures[below(ARRAY_SIZE(structures))];
}

static unsigned word_bytes(void)
{
	return tasks_isa->xlen / 8;
}

static uint64_t word_at(size_t at)
{
	uint64_t ret = 0;

	memcpy(&ret, good + at, word_bytes());
	return ret;
}

/* Something that may be taken for what was at @at. */
static uint64_t any_word(size_t at)
{
	switch (below(8)) {
	case 0:
		return fuzz_random(&state);
	case 1:
		return below(2) ? 0 : UINT64_MAX;
	case 2:
		return below(512);
	case 3:
		return word_at(at) + below(17) - 8;
	case 4:
		return word_at(FROM + below((END - FROM) / 8) * 8);
	case 5:
		return mapped_node(any_structure(), (unsigned)below(8)) |
		       below(8);
	case 6:
		/* what files know of a mount is in it */
		return mapped_pointer(any_structure() +
				      below(8) * word_bytes());
	default:
		return mapped_pointer(any_structure());
	}
}

/* A word that is something, if one of some tries finds one. */
static size_t any_place(size_t from, size_t end)
{
	size_t n = (end - from) / word_bytes(), at = 0;

	for (unsigned i = 0; i < 500; i++) {
		at = from + below(n) * word_bytes();
		if (word_at(at))
			break;
	}
	return at;
}

/* Of a file or a folder. */
static void spoil_length(void)
{
	static const size_t names[] = { MAPPED_BIN, MAPPED_PROG, MAPPED_TOP,
					MAPPED_USR };
	size_t at = names[below(ARRAY_SIZE(names))];

	btf_put(tasks_ram(at + AT_NAME_HASH * word_bytes() + 4),
		(uint32_t)below(300));
}

static void spoil(bool description)
{
	if (!below(4))
		spoil_length();
	for (uint64_t n = 1 + below(WORDS); n--;) {
		size_t at = any_place(FROM, END);
		uint64_t value;

		if (description && below(2))
			at = any_place(BTF, BTF + DESCRIPTION);
		else if (description)
			at = any_place(MAPPED_BTF, BYTES);
		value = any_word(at);
		memcpy(tasks_ram(at), &value, word_bytes());
	}
}

/* Asking */

static bool is_printable(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

static unsigned ask_process(int seed)
{
	const struct record_at at = { .mode = PMU_MODE_S };
	uint64_t task = mapped_pointer(below(2) ? TASK : any_structure());
	uint64_t other = below(4) ? 0 : fuzz_random(&state);
	struct guest_process found;
	bool known;

	if (below(2))
		tasks_run(PMU_MODE_S, task, other);
	else
		tasks_run(PMU_MODE_U, other, task);
	counted_reads = 0;
	known = processes_find(&tasks.trace.processes, &at, &found);
	ck_assert_msg(counted_reads <= READS_PROCESS, "%d: %u reads", seed,
		      counted_reads);
	if (known)
		ck_assert_msg(memchr(found.comm, 0, sizeof(found.comm)) &&
				      is_printable(found.comm),
			      "%d: its command", seed);
	return known;
}

/* One that is known has the address space that was asked for. */
static void ask_recalled(int seed)
{
	const struct process_note note = {
		.mode = below(8) ? PMU_MODE_U : PMU_MODE_VU,
		.satp = below(4) ? tasks_isa->satp : fuzz_random(&state),
		.sscratch = mapped_pointer(below(4) ? TASK : any_structure()),
	};
	struct guest_process found;

	counted_reads = 0;
	if (processes_recall(&tasks.trace.processes, &note, &found) ==
	    PROCESS_THERE)
		ck_assert_msg(
			note.mode == PMU_MODE_U &&
				memchr(found.comm, 0, sizeof(found.comm)) &&
				is_printable(found.comm),
			"%d: one that ran", seed);
	ck_assert_msg(counted_reads <= READS_RECALLED, "%d: %u reads", seed,
		      counted_reads);
}

static bool is_in(const struct mapping *m, const struct mapping_question *q)
{
	uint64_t word = 0;
	size_t size = word_bytes();

	for (size_t i = 0; i < q->n; i++)
		if (q->pc[i] >= m->start && q->pc[i] < m->end)
			return true;
	for (size_t i = 0; i < q->n_stack; i += size) {
		memcpy(&word, q->stack + i, size);
		if (word >= m->start && word < m->end)
			return true;
	}
	return false;
}

/* A stack that leads somewhere. */
static void put_stack(uint8_t *stack, size_t n)
{
	for (size_t i = 0; i < n; i += word_bytes()) {
		uint64_t word = below(2) ? below(MAPPED_OTHER_END)
					 : any_word(any_place(FROM, END));

		memcpy(stack + i, &word, word_bytes());
	}
}

static size_t ask_mappings(int seed)
{
	const uint64_t pc[] = { MAPPED_START, MAPPED_OTHER_START,
				MAPPED_END - 1, below(MAPPED_OTHER_END),
				fuzz_random(&state) };
	uint8_t stack[STACK];
	const struct mapping_question q = {
		.session = (uint32_t)seed / 2, /* is told all */
		.pid = (uint32_t)below(3),
		.task = mapped_pointer(TASK),
		.pc = pc,
		.n = below(2) ? 1 : ARRAY_SIZE(pc),
		.stack = stack,
		.n_stack = below(2) ? 0 : sizeof(stack),
	};
	struct mapping found[MAPPINGS_AT_ONCE];
	size_t n;

	put_stack(stack, sizeof(stack));
	memset(found, 'x', sizeof(found));
	counted_reads = 0;
	n = mappings_find(&tasks.trace.mappings, &q, found);
	ck_assert_msg(n <= MAPPINGS_AT_ONCE, "%d: %zu", seed, n);
	ck_assert_msg(counted_reads <=
			      1 + (q.n + MAPPINGS_SOUGHT) * READS_ADDRESS,
		      "%d: %u reads", seed, counted_reads);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(is_in(&found[i], &q) &&
				      memchr(found[i].file, 0,
					     sizeof(found[i].file)) &&
				      is_printable(found[i].file),
			      "%d: mapping %zu", seed, i);
	return n;
}

TEST_TIMES(hostile_processes_do_no_harm, TASKS_ISAS)
{
	unsigned processes = 0;
	size_t mappings = 0;
	bool described = false, before;
	int n;

	tasks_begin(&tasks_isas[_i]);
	mapped_begin();
	memcpy(good, tasks_ram(0), BYTES);
	for (n = fuzz_first(); n < fuzz_end(SEEDS); n++) {
		state = fuzz_seed((unsigned)n);
		before = described;
		described = !below(DESCRIBED);
		if (described || before) /* it is looked for anew */
			trace_processes(&tasks.trace, tasks.m);
		spoil(described);
		processes += ask_process(n);
		ask_recalled(n);
		mappings += ask_mappings(n);
		memcpy(tasks_ram(0), good, BYTES);
	}
	/* what it changed was not all checks; of a few it may be */
	ck_assert_uint_ge(10 * processes + 1000, n - fuzz_first());
	ck_assert_uint_ge(10 * mappings + 1000, (size_t)(n - fuzz_first()));
	tasks_end();
}

SUITE("fuzz-processes", .timeout = 300);
