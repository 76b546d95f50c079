/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an event_idx says, and which one a name means, by the tables of the SBI
 * specification's PMU chapter.
 */
#include <string.h>

#include <pmu/csr-name.h>

#include "cmd/explain-facts.h"
#include "unit.h"

#define GENERAL	 "general event: "
#define CACHE	 "cache event: "
#define KNOWN	 "nothing here: the SBI knows this event"
#define RESERVED "nothing: the event_idx is reserved"

static const struct text_row {
	uint32_t idx;
	const char *text, *uncounted;
} text_rows[] = {
	{ 0x0, GENERAL "NO_EVENT", RESERVED },
	{ 0x1, GENERAL "CPU_CYCLES", KNOWN },
	{ 0x2, GENERAL "INSTRUCTIONS", KNOWN },
	{ 0x3, GENERAL "CACHE_REFERENCES", KNOWN },
	{ 0x4, GENERAL "CACHE_MISSES", KNOWN },
	{ 0x5, GENERAL "BRANCH_INSTRUCTIONS", KNOWN },
	{ 0x6, GENERAL "BRANCH_MISSES", KNOWN },
	{ 0x7, GENERAL "BUS_CYCLES", KNOWN },
	{ 0x8, GENERAL "STALLED_CYCLES_FRONTEND", KNOWN },
	{ 0x9, GENERAL "STALLED_CYCLES_BACKEND", KNOWN },
	{ 0xa, GENERAL "REF_CPU_CYCLES", KNOWN },
	{ 0xb, GENERAL "reserved", RESERVED },
	{ 0xffff, GENERAL "reserved", RESERVED },
	{ 0x10000, CACHE "L1D, read, access", KNOWN },
	{ 0x10001, CACHE "L1D, read, miss", KNOWN },
	{ 0x10002, CACHE "L1D, write, access", KNOWN },
	{ 0x10005, CACHE "L1D, prefetch, miss", KNOWN },
	{ 0x10006, CACHE "reserved", RESERVED },
	{ 0x10007, CACHE "reserved", RESERVED },
	{ 0x10008, CACHE "L1I, read, access", KNOWN },
	{ 0x10013, CACHE "LL, write, miss", KNOWN },
	{ 0x10019, CACHE "DTLB, read, miss", KNOWN },
	{ 0x10020, CACHE "ITLB, read, access", KNOWN },
	{ 0x10029, CACHE "BPU, read, miss", KNOWN },
	{ 0x10035, CACHE "NODE, prefetch, miss", KNOWN },
	{ 0x10038, CACHE "reserved", RESERVED },
	{ 0x20000, "raw event: event_data selects it",
	  "what its event_data selects" },
	{ 0x20001, "raw event: event_data selects it; its code must be 0",
	  RESERVED },
	{ 0x30000, "raw event, version 2: event_data selects it",
	  "what its event_data selects" },
	{ 0x3ffff,
	  "raw event, version 2: event_data selects it; its code must be 0",
	  RESERVED },
	{ 0x40000, "event type 4: reserved", RESERVED },
	{ 0xe0000, "event type 14: reserved", RESERVED },
	{ 0xf0000, "firmware event 0: MISALIGNED_LOAD", KNOWN },
	{ 0xf0004, "firmware event 4: ILLEGAL_INSN", KNOWN },
	{ 0xf0005, "firmware event 5: SET_TIMER", KNOWN },
	{ 0xf0015, "firmware event 21: HFENCE_VVMA_ASID_RECEIVED", KNOWN },
	{ 0xf0016, "firmware event 22: reserved", RESERVED },
	{ 0xf00ff, "firmware event 255: reserved", RESERVED },
	{ 0xf0100, "firmware event 256: of the implementation", KNOWN },
	{ 0xffffe, "firmware event 65534: of the implementation", KNOWN },
	{ 0xfffff, "platform firmware event: event_data says which", KNOWN },
	{ 0x100000, "not an event_idx: it has 20 bits",
	  "nothing here: not supported" },
	{ UINT32_MAX, "not an event_idx: it has 20 bits",
	  "nothing here: not supported" },
};

TEST_ROWS(an_event_idx_is_taken_apart, text_rows)
{
	const struct text_row *row = &text_rows[_i];
	char text[EVENT_TEXT];

	ck_assert_str_eq(event_idx_text(row->idx, text), row->text);
}

TEST_ROWS(what_no_counter_counts_says_why, text_rows)
{
	const struct text_row *row = &text_rows[_i];
	char buf[EVENT_TEXT];
	const char *text = event_idx_uncounted(row->idx, buf);

	ck_assert_msg(!strncmp(text, row->uncounted, strlen(row->uncounted)),
		      "%#x: %s", row->idx, text);
}

enum {
	NONE = 0x5eed0000
};

static const struct find_row {
	const char *text;
	uint32_t idx;
} find_rows[] = {
	{ "CPU_CYCLES", 1 },
	{ "cpu-cycles", 1 },
	{ "Cpu.Cycles", 1 },
	{ "SBI_PMU_HW_CPU_CYCLES", 1 },
	{ "sbi-pmu-hw-cpu-cycles", 1 },
	{ "NO_EVENT", 0 },
	{ "REF_CPU_CYCLES", 10 },
	{ "SBI_PMU_HW_CACHE_MISSES", 4 },
	{ "CACHE_MISSES", 4 },
	{ "SBI_PMU_HW_CACHE_REFERENCES", 3 },
	{ "SET_TIMER", 0xf0005 },
	{ "fw_set_timer", 0xf0005 },
	{ "SBI_PMU_FW_SET_TIMER", 0xf0005 },
	{ "MISALIGNED_LOAD", 0xf0000 },
	{ "hfence-vvma-asid-received", 0xf0015 },
	{ "DTLB-read-miss", 0x10019 },
	{ "dtlb,read,miss", 0x10019 },
	{ "DTLB_READ", 0x10018 },
	{ "L1D-write-access", 0x10002 },
	{ "NODE-prefetch-miss", 0x10035 },
	{ "SBI_PMU_HW_CACHE_LL_WRITE_MISS", 0x10013 },
	{ "SBI_PMU_HW_CACHE_LL_WRITE", 0x10012 },
	{ "", NONE },
	{ "CPU_CYCLE", NONE },
	{ "CPU_CYCLESS", NONE },
	{ "CPU__CYCLES", NONE },
	{ "DTLB", NONE },
	{ "DTLB-", NONE },
	{ "DTLB-read-", 0x10018 },
	{ "DTLB-miss", NONE },
	{ "DTLB-read-hit", NONE },
	{ "DTLB-read-miss-", 0x10019 },
	{ "DTLB-read-miss-more", NONE },
	{ "DTLBread", NONE },
	{ "SBI_PMU_HW_", NONE },
	{ "SBI_PMU_HW_CACHE_", NONE },
	{ "FW_", NONE },
	{ "FW_FW_SET_TIMER", NONE },
};

TEST_ROWS(a_name_means_one_event, find_rows)
{
	const struct find_row *row = &find_rows[_i];
	uint32_t idx = NONE;
	bool found = event_idx_find(row->text, &idx);

	ck_assert_msg(found == (row->idx != NONE), "'%s'", row->text);
	ck_assert_msg(idx == row->idx, "'%s' is %#x", row->text, idx);
}

static const struct csr_row {
	const char *text, *name;
	uint16_t number;
} csr_rows[] = {
	{ "mcycle", "mcycle", 0xb00 },
	{ "0xb00", "mcycle", 0xb00 },
	{ "2816", "mcycle", 0xb00 },
	{ "mhpmcounter3", "mhpmcounter3", 0xb03 },
	{ "mhpmcounter31", "mhpmcounter31", 0xb1f },
	{ "mhpmcounter3h", "mhpmcounter3h", 0xb83 },
	{ "mhpmevent7", "mhpmevent7", 0x327 },
	{ "0x327", "mhpmevent7", 0x327 },
	{ "mhpmevent31h", "mhpmevent31h", 0x73f },
	{ "hpmcounter3", "hpmcounter3", 0xc03 },
	{ "scountovf", "scountovf", 0xda0 },
	{ "mhpmcounter2", NULL, 0 },
	{ "mhpmcounter32", NULL, 0 },
	{ "mhpmcounter", NULL, 0 },
	{ "mhpmcounter3x", NULL, 0 },
	{ "mhpmcounter 3", NULL, 0 },
	{ "mhpmcounter-3", NULL, 0 },
	{ "mhpmcounter18446744073709551619", NULL, 0 },
	{ "mhpmevent2", NULL, 0 },
	{ "mcycl", NULL, 0 },
	{ "0xfff", NULL, 0 },
	{ "-1", NULL, 0 },
	{ "", NULL, 0 },
};

TEST_ROWS(a_csr_is_found_by_name_and_number, csr_rows)
{
	const struct csr_row *row = &csr_rows[_i];
	uint16_t number = 0x5eed;
	const struct csr_info *info = csr_info_find(row->text, &number);

	ck_assert_msg(!info == !row->name, "'%s'", row->text);
	if (!info)
		return;
	ck_assert_uint_eq(number, row->number);
	ck_assert_str_eq(pmu_csr_number_name(number), row->name);
}

struct named {
	unsigned n;
};

static void look_up(void *arg, const char *name)
{
	struct named *named = arg;
	uint16_t number;

	named->n++;
	ck_assert_msg(csr_info_find(name, &number), "%s", name);
}

TEST(every_csr_that_is_offered_is_found)
{
	struct named named = { 0 };

	csr_info_each(look_up, &named);
	ck_assert_uint_gt(named.n, 100);
}

static const char *const no_errors[] = {
	"",	      " -3",	      "-3 ",	 "3x",	 "SBI_ERR_",
	"SBI_ERR_-3", "INVALID_PARA", "invalid", "-14x", "0x3"
};

TEST_ROWS(what_is_no_error_is_not_found, no_errors)
{
	ck_assert_ptr_null(error_info_find(no_errors[_i]));
}

SUITE("explain-event");
