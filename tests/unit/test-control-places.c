/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: what is said of a user's
 * addresses depends on what the process of the hart has mapped there.
 */
#include <elf.h>

#include <pmu/csr-number.h>

#include "btf-image.h"
#include "control-peer.h"
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

/* An ELF file with one function, whose name is one letter. */
struct file {
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	Elf64_Shdr sh[4];
	Elf64_Sym sym[2];
	char names[4];
};

#define IN_FILE(member) offsetof(struct file, member)

static struct file file_of(char name, uint64_t address, uint64_t offset)
{
	return (struct file){
		.eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
				     ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC,
			.e_machine = EM_RISCV,
			.e_version = EV_CURRENT,
			.e_phoff = IN_FILE(ph),
			.e_shoff = IN_FILE(sh),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = 4,
			.e_shstrndx = 3 },
		.ph = { .p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_offset = offset,
			.p_vaddr = address,
			.p_paddr = address,
			.p_filesz = 8,
			.p_memsz = 8,
			.p_align = 8 },
		.sh = { { 0 },
			{ .sh_type = SHT_PROGBITS,
			  .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			  .sh_addr = address,
			  .sh_offset = offset,
			  .sh_size = 8,
			  .sh_addralign = 4 },
			{ .sh_type = SHT_SYMTAB,
			  .sh_offset = IN_FILE(sym),
			  .sh_size = 2 * sizeof(Elf64_Sym),
			  .sh_link = 3,
			  .sh_info = 1,
			  .sh_addralign = 8,
			  .sh_entsize = sizeof(Elf64_Sym) },
			{ .sh_type = SHT_STRTAB,
			  .sh_offset = IN_FILE(names),
			  .sh_size = 4,
			  .sh_addralign = 1 } },
		.sym = { { 0 },
			 { .st_name = 1,
			   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			   .st_shndx = 1,
			   .st_value = address,
			   .st_size = 8 } },
		.names = { 0, name, 0, 0 },
	};
}

/* Its function is in memory at @address of @offset; so many bytes in all. */
static void send_file(char name, uint64_t address, uint64_t offset,
		      size_t bytes)
{
	static uint8_t image[PROG_BYTES + 1];
	Pmu__V1__LoadImageRequest q = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;
	struct file file = file_of(name, address, offset);

	memcpy(image, &file, sizeof(file));
	start.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS;
	start.total_bytes = bytes;
	q.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	q.start = &start;
	ck_assert_uint_eq(peer_call(&p, CALL(LoadImage), &q.base)->code, OK);
	q.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	q.chunk = (ProtobufCBinaryData){ bytes, image };
	ck_assert_uint_eq(peer_call(&p, CALL(LoadImage), &q.base)->code, OK);
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
