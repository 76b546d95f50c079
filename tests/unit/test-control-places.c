/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: what is said of a user's
 * addresses depends on what the process of the hart has mapped there.
 */
#include <pmu/csr-number.h>

#include "btf-image.h"
#include "control-files.h"
#include "mappings-image.h"
#include "tasks-image.h"

#define KERNEL UINT64_C(0xffffffc000000000)

enum {
	MEMORY = MAPPED_BTF + BTF_HEADER + BTF_IMAGE_MAX + BTF_STRINGS_MAX,
	PROG_BYTES = 0x12345, /* of what is mapped */
	PROG_OFFSET = 0x3000, /* where it is mapped from on */
	CODE = 0x100,	      /* behind that */
	LINKED = 0x400000,    /* where the file has it */
	AT_FUNCTION = MAPPED_START + CODE,
};

/* Of a kernel: its tables, and its task. */
static const struct fake_op ops[] = {
	{ FAKE_LI, 5, 0, 0, UINT64_C(8) << 60 | (BASE + ROOT) >> 12 },
	{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, PMU_CSR_SATP, 5) },
	{ FAKE_LI, 4, 0, 0, KERNEL + TASK },
	{ FAKE_NOP, 0, 0, 0, 0 },
	{ FAKE_JUMP, 0, 0, 0, PC(3) },
};

/* A machine that has executed @insns; prog runs from its third on. */
static void run(uint64_t insns)
{
	Pmu__V1__StepMachineRequest step = PMU__V1__STEP_MACHINE_REQUEST__INIT;
	static uint8_t memory[MEMORY];

	tasks_begin(RV64);
	mapped_begin();
	memcpy(memory, tasks_ram(0), sizeof(memory));
	tasks_end();
	SCRIPT(ops);
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, false, ""), OK);
	ck_assert_uint_eq(peer_load(&p, memory, sizeof(memory), BASE), OK);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	step.insns = insns;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &step.base)->code,
			  OK);
}

/* prog itself, and one that was linked for where its code is. */
static void send_files(void)
{
	send_file('w', AT_FUNCTION, PROG_OFFSET + CODE, PROG_BYTES + 1);
	send_file('f', LINKED, PROG_OFFSET + CODE, PROG_BYTES);
}

static const Pmu__V1__DescribeAddressesResponse *
describe(const uint64_t *address, size_t n, bool of_hart)
{
	Pmu__V1__DescribeAddressesRequest q =
		PMU__V1__DESCRIBE_ADDRESSES_REQUEST__INIT;

	q.addresses = (uint64_t *)address;
	q.n_addresses = n;
	if (of_hart)
		q.of_case = PMU__V1__DESCRIBE_ADDRESSES_REQUEST__OF_HART;
	ck_assert_uint_eq(peer_call(&p, CALL(DescribeAddresses), &q.base)->code,
			  OK);
	return p.last.answer;
}

static const struct named_row {
	const char *why;
	uint64_t address;
	uint64_t insns;	  /* 0: no hart is named */
	const char *want; /* function, or "" */
	uint64_t offset;
} named_rows[] = {
	{ "the file that is mapped, where it is", AT_FUNCTION, 4, "f", 0 },
	{ "in it", AT_FUNCTION + 6, 4, "f", 6 },
	{ "before its function", AT_FUNCTION - 4, 4, "", 0 },
	{ "what has no file", MAPPED_OTHER_START, 4, "", 0 },
	{ "where nothing is mapped", LINKED, 4, "", 0 },
	{ "of no hart: where it was linked", LINKED, 0, "f", 0 },
	{ "of no hart: any file", AT_FUNCTION, 0, "w", 0 },
	{ "there is no process yet: any file", AT_FUNCTION, 1, "w", 0 },
	{ "the kernel's: any file", KERNEL, 4, "k", 0 },
};

TEST_ROWS(a_users_address_is_of_what_is_mapped, named_rows)
{
	const struct named_row *row = &named_rows[_i];
	const Pmu__V1__DescribeAddressesResponse *r;

	run(row->insns ? row->insns : 4);
	send_files();
	send_file('k', KERNEL, sizeof(struct file), sizeof(struct file) + 8);
	r = describe(&row->address, 1, row->insns != 0);
	ck_assert_uint_eq(r->files, 3);
	ck_assert_uint_eq(r->n_places, 1);
	ck_assert_uint_eq(r->places[0]->address, row->address);
	ck_assert_str_eq(r->places[0]->function, row->want);
	ck_assert_uint_eq(r->places[0]->offset, row->offset);
}

TEST(the_process_of_a_hart_is_told_with_its_mappings)
{
	static const uint64_t at[] = { KERNEL, AT_FUNCTION, AT_FUNCTION + 2,
				       MAPPED_OTHER_START, LINKED };
	const Pmu__V1__DescribeAddressesResponse *r;
	const Pmu__V1__Mapping *m;

	run(4);
	/* twice: all is told each time */
	(void)describe(at, ARRAY_SIZE(at), true);
	r = describe(at, ARRAY_SIZE(at), true);
	ck_assert_ptr_nonnull(r->process);
	ck_assert_uint_eq(r->process->pid, 7);
	ck_assert_uint_eq(r->process->tid, 8);
	ck_assert_str_eq(r->process->comm, "sh");
	ck_assert_uint_eq(r->process->n_mappings, 2);
	m = r->process->mappings[0];
	ck_assert_uint_eq(m->start, MAPPED_START);
	ck_assert_uint_eq(m->end, MAPPED_END);
	ck_assert_uint_eq(m->offset, PROG_OFFSET);
	ck_assert_uint_eq(m->file_bytes, PROG_BYTES);
	ck_assert_str_eq(m->file, "/usr/bin/prog");
	m = r->process->mappings[1];
	ck_assert_uint_eq(m->start, MAPPED_OTHER_START);
	ck_assert_str_eq(m->file, "");
	ck_assert_ptr_null(describe(at, 1, false)->process);
}

TEST(a_hart_that_runs_no_process_has_none)
{
	static const uint64_t at = AT_FUNCTION;

	run(1);
	ck_assert_ptr_null(describe(&at, 1, true)->process);
}

TEST(a_hart_that_is_not_there_has_no_addresses)
{
	Pmu__V1__DescribeAddressesRequest q =
		PMU__V1__DESCRIBE_ADDRESSES_REQUEST__INIT;

	run(1);
	q.of_case = PMU__V1__DESCRIBE_ADDRESSES_REQUEST__OF_HART;
	q.hart = 1;
	ck_assert_uint_eq(peer_call(&p, CALL(DescribeAddresses), &q.base)->code,
			  INVALID);
	ck_assert_str_eq(p.last.reason, "NO_SUCH_HART");
}

SUITE("control-places", .teardown = teardown);
