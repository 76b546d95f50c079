/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: a counter that a user wrote
 * is explained with the code of that user, of whose program there may be others
 * at the same address. Two processes of a kernel have one each; so have two
 * users of a kernel of which nothing is known, but their page tables.
 */
#include <pmu/csr-number.h>
#include <pmu/ebb-unit.h>

#include "btf-image.h"
#include "control-files.h"
#include "mappings-image.h"
#include "tasks-image.h"

#define KERNEL UINT64_C(0xffffffc000000000)
#define SPACE(table, number)                                                   \
	(UINT64_C(8) << 60 | UINT64_C(number) << 44 | (BASE + (table)) >> 12)

enum {
	MEMORY = MAPPED_BTF + BTF_HEADER + BTF_IMAGE_MAX + BTF_STRINGS_MAX,
	PROG_BYTES = 0x12345, /* of what the first has mapped */
	PROG_OFFSET = 0x3000, /* where it is mapped from on */
	OTHER_BYTES = 0x10001,
	OTHER_OFFSET = 0x5000,
	LINKED = 0x400000, /* where either file has its function */
	/* what the kernel has of the other process */
	OTHER_ROOT = 0x4000,
	OTHER_MM = 0x1b000,
	OTHER_TREE = 0x1b100,
	OTHER_AREA = 0x1b200,
	OTHER_FILE = 0x1b300,
	OTHER_INODE = 0x1b400,
	OTHER_PROG = 0x1b500,
	/* and what the two users have there, in pages of their own */
	OTHER_MIDDLE = 0x5000,
	OTHER_LOWEST = 0x6000,
	FIRST_CODE = 0x7000,
	SECOND_CODE = 0x8000,
	USER_PAGE = 0x59,  /* A, U, X, V */
	FILE_CODE = 0x400, /* of a file that has its function where it is */
	FILE_BYTES = 0x1000,
	LONG_BEFORE = 0x20, /* bytes of a function before the page */
	LONG_BYTES = LONG_BEFORE + 0x20,
	/* what a guest takes for physical: all of it here, and beyond again */
	GUEST_ROOT = 0x1c000,
	BEYOND = 0x40000000,
	GUEST_GIGA = 0xdf, /* D, A, U, X, W, R, V */
	WRITES = 7,	   /* instructions before that which does */
};
#define CODE_AT	    PC(WRITES) /* of the user's code */
#define FUNCTION_AT (CODE_AT - 4)
#define FIRST	    SPACE(ROOT, 1)
#define SECOND	    SPACE(OTHER_ROOT, 2)
#define AREA_START  (BASE & ~UINT64_C(0xfff))
#define AREA_END    (AREA_START + 0x1000)
#define IN_AREA(pc) ((pc)-AREA_START)

/* A tree with one area, of code of @file. */
static void put_mm(size_t mm, size_t tree, size_t area, size_t file)
{
	mapped_put(mm, AT_TREE_ROOT, mapped_node(tree, 1) | 2);
	mapped_pivot(tree, 1, 0, AREA_START - 1);
	mapped_slot(tree, 1, 0, 0);
	mapped_pivot(tree, 1, 1, AREA_END - 1);
	mapped_slot(tree, 1, 1, mapped_pointer(area));
	mapped_area(area, AREA_START, AREA_END);
	mapped_point(area, AT_AREA_MM, mm);
	mapped_point(area, AT_FILE, file);
}

static void put_other(void)
{
	uint64_t size = OTHER_BYTES;

	memcpy(tasks_ram(OTHER_ROOT), tasks_ram(ROOT), 4096);
	mapped_point(OTHER, AT_MM, OTHER_MM);
	mapped_point(OTHER_MM, AT_TABLE, OTHER_ROOT);
	mapped_put(OTHER_MM, AT_NUMBER, 2);
	put_mm(OTHER_MM, OTHER_TREE, OTHER_AREA, OTHER_FILE);
	mapped_put(OTHER_AREA, AT_OFFSET, OTHER_OFFSET >> 12);
	mapped_point(OTHER_FILE, AT_DENTRY, OTHER_PROG);
	mapped_point(OTHER_FILE, AT_MOUNT_POINT, MAPPED_MOUNT + AT_POINT * 8);
	mapped_point(OTHER_FILE, AT_INODE, OTHER_INODE);
	memcpy(tasks_ram(OTHER_INODE + AT_SIZE * 8), &size, sizeof(size));
	mapped_name(OTHER_PROG, "other", MAPPED_BIN);
}

static void put_entry(size_t table, unsigned i, size_t to, unsigned flags)
{
	uint64_t entry = (BASE + to) >> 12 << 10 | flags;

	memcpy(tasks_ram(table + 8 * i), &entry, sizeof(entry));
}

/* The user's page with the code at CODE_AT. */
static void put_user(size_t root, size_t middle, size_t lowest, size_t page)
{
	put_entry(root, BASE >> 30 & 511, middle, 1);
	put_entry(middle, BASE >> 21 & 511, lowest, 1);
	put_entry(lowest, BASE >> 12 & 511, page, USER_PAGE);
}

enum who {
	THE_FIRST, /* process; its thread 8 writes */
	THE_SECOND,
	THE_KERNEL,
	A_GUEST,
	/* users of another kernel */
	USER,
	USER_OF_SECOND,
	USER_OF_GUEST,
	USER_WITHOUT_TABLES,
};
#define GUESTS_SPACE SPACE(BEYOND + ROOT, 1)

static bool is_guests(enum who who)
{
	return who == A_GUEST || who == USER_OF_GUEST;
}

static uint64_t space_of(enum who who)
{
	return who == THE_SECOND || who == USER_OF_SECOND ? SECOND
	       : who == USER_WITHOUT_TABLES		  ? 0
	       : who == USER_OF_GUEST			  ? GUESTS_SPACE
							  : FIRST;
}

enum since {
	NOTHING,
	SWITCHED, /* the other process runs */
	TRAPPED,  /* and the kernel */
	ENDED,	  /* and the first is no more */
};

/* It enters the user, who writes the counter and its OF. */
static void put_script(enum who who)
{
	static struct fake_op ops[] = {
		{ FAKE_LI, 5, 0, 0, 0 },
		{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, PMU_CSR_SATP, 5) },
		{ FAKE_LI, 6, 0, 0, 0 },
		{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, PMU_CSR_SSCRATCH, 6) },
		{ FAKE_LI, 7, 0, 0, CODE_AT },
		{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, PMU_CSR_SEPC, 7) },
		{ FAKE_INSN, 0, 0, 0, FAKE_SRET },
		{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, PMU_CSR_EBBCTR3, 5) },
		{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, PMU_CSR_EBBOVF, 0) },
		{ FAKE_INSN, 0, 0, 0, FAKE_ECALL },
	};

	ops[0].value = who == USER_OF_GUEST ? 0 : space_of(who);
	ops[2].value = who >= USER	   ? 0
		       : who == THE_SECOND ? KERNEL + OTHER
					   : KERNEL + TASK;
	ops[6].kind = who == THE_KERNEL ? FAKE_NOP : FAKE_INSN;
	SCRIPT(ops);
}

static void write_csr(uint32_t number, uint64_t value)
{
	Pmu__V1__WriteCsrRequest q = PMU__V1__WRITE_CSR_REQUEST__INIT;

	q.csr_case = PMU__V1__WRITE_CSR_REQUEST__CSR_NUMBER;
	q.number = number;
	q.value = value;
	ck_assert_uint_eq(peer_call(&p, CALL(WriteCsr), &q.base)->code, OK);
}

/* Users may write counter 3. */
static void permit(enum who who)
{
	write_csr(PMU_CSR_MEBBEN, 8);
	write_csr(PMU_CSR_SEBBOWN, 8);
	write_csr(PMU_CSR_SEBBCS, PMU_SEBBCS_UE);
	if (!is_guests(who))
		return;
	write_csr(PMU_CSR_HEBBEN, 8);
	write_csr(PMU_CSR_HSTATUS, 1 << 7); /* SPV: sret goes to VU */
	write_csr(PMU_CSR_VSATP, space_of(who));
	write_csr(PMU_CSR_HGATP, UINT64_C(8) << 60 | (BASE + GUEST_ROOT) >> 12);
	write_csr(PMU_CSR_VSSCRATCH, KERNEL + TASK);
}

static void put_memory(enum who who, enum since since)
{
	put_mm(MAPPED_MM, MAPPED_TREE, MAPPED_AREA, MAPPED_FILE);
	mapped_put(MAPPED_MM, AT_NUMBER, 1);
	mapped_put(MAPPED_AREA, AT_OFFSET, PROG_OFFSET >> 12);
	put_other();
	put_user(ROOT, MIDDLE, LOWEST, FIRST_CODE);
	put_user(OTHER_ROOT, OTHER_MIDDLE, OTHER_LOWEST, SECOND_CODE);
	put_entry(GUEST_ROOT, BASE >> 30, 0, GUEST_GIGA);
	put_entry(GUEST_ROOT, (BASE + BEYOND) >> 30, 0, GUEST_GIGA);
	memset(tasks_ram(FIRST_CODE + IN_AREA(FUNCTION_AT)), 'f', 8);
	memset(tasks_ram(SECOND_CODE + IN_AREA(FUNCTION_AT)), 'g', 8);
	if (since == ENDED) {
		mapped_put(TASK, AT_MM, 0);
		put_entry(LOWEST, BASE >> 12 & 511, 0, 0);
	}
	if (who >= USER)
		memset(tasks_ram(BTF), 0, BTF_HEADER);
}

static void run(enum who who, enum since since)
{
	Pmu__V1__StepMachineRequest step = PMU__V1__STEP_MACHINE_REQUEST__INIT;
	static uint8_t memory[MEMORY];

	tasks_begin(RV64);
	mapped_begin();
	put_memory(who, since);
	memcpy(memory, tasks_ram(0), sizeof(memory));
	tasks_end();
	put_script(who);
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, false, "xpmuebb=on h=on"), OK);
	ck_assert_uint_eq(peer_load(&p, memory, sizeof(memory), BASE), OK);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	permit(who);
	step.insns = WRITES + 2 + (since == TRAPPED);
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &step.base)->code,
			  OK);
	if (since == NOTHING)
		return;
	write_csr(PMU_CSR_SATP, SECOND);
	write_csr(PMU_CSR_VSATP, SECOND);
	write_csr(PMU_CSR_SSCRATCH, KERNEL + OTHER);
}

/* What the machine says of who wrote the counter's value. */
static const Pmu__V1__Fact *written(void)
{
	Pmu__V1__ExplainCounterRequest q =
		PMU__V1__EXPLAIN_COUNTER_REQUEST__INIT;
	const Pmu__V1__ExplainCounterResponse *r;

	q.index = 3;
	ck_assert_uint_eq(peer_call(&p, CALL(ExplainCounter), &q.base)->code,
			  OK);
	r = p.last.answer;
	for (size_t i = 0; i < r->n_facts; i++)
		if (strstr(r->facts[i]->text, "value: written by "))
			return r->facts[i];
	ck_abort_msg("nobody wrote it");
}

static const struct writer_row {
	const char *why;
	enum who who;
	enum since since;
	const char *function; /* "": it is not known */
	uint64_t satp;
	uint32_t pid, tid; /* 0: no process */
	const char *file;
} writer_rows[] = {
	{ "one process", THE_FIRST, NOTHING, "f", FIRST, 7, 8,
	  "/usr/bin/prog" },
	{ "the other, at the same address", THE_SECOND, NOTHING, "g", SECOND, 9,
	  9, "/usr/bin/other" },
	{ "one while the other runs", THE_FIRST, SWITCHED, "f", FIRST, 7, 8,
	  "/usr/bin/prog" },
	{ "one while the kernel does", THE_FIRST, TRAPPED, "f", FIRST, 7, 8,
	  "/usr/bin/prog" },
	{ "one that is no more", THE_FIRST, ENDED, "", FIRST, 0, 0, NULL },
	{ "a guest's, of whose kernel nothing is known", A_GUEST, NOTHING, "",
	  FIRST, 0, 0, NULL },
	{ "the kernel, as any file says", THE_KERNEL, NOTHING, "w", 0, 0, 0,
	  NULL },
};

TEST_ROWS(who_wrote_a_counter_is_named_in_its_address_space, writer_rows)
{
	const struct writer_row *row = &writer_rows[_i];
	const Pmu__V1__Fact *f;

	run(row->who, row->since);
	/* one that was linked for where the code is, and those that are there
	 */
	send_file('w', CODE_AT, PROG_OFFSET + IN_AREA(CODE_AT), PROG_BYTES + 1);
	send_file('f', LINKED, PROG_OFFSET + IN_AREA(CODE_AT), PROG_BYTES);
	send_file('g', LINKED, OTHER_OFFSET + IN_AREA(CODE_AT), OTHER_BYTES);
	f = written();
	ck_assert_uint_eq(f->place->address, CODE_AT);
	ck_assert_msg(strcmp(f->place->function, row->function) == 0, "%s: %s",
		      row->why, f->place->function);
	ck_assert_uint_eq(f->satp, row->satp);
	ck_assert((f->process != NULL) == (row->pid != 0));
	if (!f->process)
		return;
	ck_assert_uint_eq(f->process->pid, row->pid);
	ck_assert_uint_eq(f->process->tid, row->tid);
	ck_assert_uint_eq(f->process->n_mappings, 1);
	ck_assert_str_eq(f->process->mappings[0]->file, row->file);
}

/* A function that began in the page before, which is not there any more. */
static uint8_t *long_image(char name)
{
	uint8_t *image = file_image(name, BASE - LONG_BEFORE, FILE_CODE);
	struct file *file = (struct file *)image;

	file->head.ph.p_filesz = file->head.ph.p_memsz = LONG_BYTES;
	file->head.sh[ELF_CODE].sh_size = file->sym[1].st_size = LONG_BYTES;
	memset(image + FILE_CODE, name, LONG_BEFORE);
	memset(image + FILE_CODE + LONG_BYTES - 8, 'f', 8);
	return image;
}

/*
 * A file for each letter, of code that is the letter again and again; but b has
 * f's, x has f's instruction behind its own, and so has p, whose function is a
 * long one; y has its own behind f's. l is a list.
 */
static void send_code(const char *letters)
{
	static const char list[] = "0000000080000000 T l\n";

	for (; *letters; letters++) {
		char code = *letters == 'b' ? 'f' : *letters;
		uint8_t *image = file_image(*letters, FUNCTION_AT, FILE_CODE);

		memset(image + FILE_CODE, code == 'y' ? 'f' : code, 4);
		memset(image + FILE_CODE + 4, code == 'x' ? 'f' : code, 4);
		if (*letters == 'p')
			image = long_image('p');
		if (*letters == 'l')
			send_symbols(list, strlen(list));
		else
			send_symbols(image, FILE_BYTES);
	}
}

static const struct user_row {
	const char *why, *files;
	enum who who;
	enum since since;
	const char *function;
} user_rows[] = {
	{ "its own file, behind another's", "gf", USER, NOTHING, "f" },
	{ "the other's own", "fg", USER_OF_SECOND, NOTHING, "g" },
	{ "while the other runs", "gf", USER, SWITCHED, "f" },
	{ "while the kernel does", "gf", USER, TRAPPED, "f" },
	{ "when its page is no more", "gf", USER, ENDED, "" },
	{ "by a file that is not there", "g", USER, NOTHING, "" },
	{ "by one that has the same instruction", "xf", USER, NOTHING, "f" },
	{ "by one that has the same before it", "yf", USER, NOTHING, "f" },
	{ "by a list, of which nobody knows what it is of", "l", USER, NOTHING,
	  "" },
	{ "behind one", "lf", USER, NOTHING, "f" },
	{ "by two that are the same", "ff", USER, NOTHING, "f" },
	{ "by two that have the same code", "fb", USER, NOTHING, "" },
	{ "in the page that is there", "gp", USER, NOTHING, "p" },
	{ "one of a guest", "gf", USER_OF_GUEST, NOTHING, "f" },
	{ "while another of it runs", "gf", USER_OF_GUEST, SWITCHED, "f" },
	{ "of the only space: by any file", "g", USER_WITHOUT_TABLES, NOTHING,
	  "g" },
};

TEST_ROWS(whose_kernel_says_nothing_is_named_by_its_code, user_rows)
{
	const struct user_row *row = &user_rows[_i];
	const Pmu__V1__Fact *f;

	run(row->who, row->since);
	send_code(row->files);
	f = written();
	ck_assert_uint_eq(f->place->address, CODE_AT);
	ck_assert_msg(strcmp(f->place->function, row->function) == 0, "%s: %s",
		      row->why, f->place->function);
	if (*row->function == 'p')
		ck_assert_uint_eq(f->place->offset,
				  CODE_AT - BASE + LONG_BEFORE);
	else
		ck_assert_uint_eq(f->place->offset, *row->function ? 4 : 0);
	ck_assert_uint_eq(f->satp, space_of(row->who));
	ck_assert_ptr_null(f->process);
}

/* Of the value, which is all that a user writes: told with what was mapped. */
TEST(a_users_fact_has_its_process_with_the_mapping)
{
	const Pmu__V1__ExplainCounterResponse *r;
	unsigned n = 0;

	run(THE_FIRST, NOTHING);
	(void)written();
	r = p.last.answer;
	for (size_t i = 0; i < r->n_facts; i++) {
		const Pmu__V1__Fact *f = r->facts[i];

		ck_assert((f->process != NULL) == (f->satp != 0));
		if (!f->process)
			continue;
		ck_assert_uint_eq(f->process->n_mappings, 1);
		n++;
	}
	ck_assert_uint_eq(n, 1);
}

SUITE("control-writers", .teardown = teardown);
