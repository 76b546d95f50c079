/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a start puts into memory and a reboot puts there again:
 * core/machine-reset.c and machine-boot.c over the scripted engine.
 */
#include <elf.h>
#include <malloc.h>
#include <stdlib.h>

#include <libfdt.h>

#include <pmu/csr-number.h>

#include "board/bus.h"
#include "board/loader.h"
#include "core/machine-load.h"
#include "core/machine-read.h"
#include "core/machine-state.h"
#include "machine-script.h"
#include "settings/footprint.h"
#include "view/inspect.h"

enum {
	SIZE = 4 << 20,
	RESET = 0x7777, /* to the finisher */
};

static const struct fake_op reset_ops[] = {
	NOP, LI(1, 99), LI(31, RESET), WRITE(31, 4, BOARD_FINISHER_BASE),
	NOP, JUMP(4),
};

static uint8_t image[3 * BUS_PAGE], got[SIZE];

static void make(const char *settings)
{
	memset(image, 0x5a, BUS_PAGE);
	image[sizeof(image) - 1] = 7;
	SCRIPT(reset_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true,
						   .settings = settings,
						   .image = image,
						   .image_size = sizeof(image),
						   .address = BASE });
	fixture_start(&f);
}

static void spoil(uint64_t at)
{
	static const uint8_t bytes[100] = { 1, 2, 3, 4 };
	const struct input in = {
		.kind = INPUT_MEMORY_WRITE,
		.memory_write = { at, bytes, sizeof(bytes), false },
	};

	ck_assert(machine_input(f.m, &in, NULL, NULL));
}

static struct hart_state registers(void)
{
	struct hart_state s;

	ck_assert(inspect_registers(f.m, 0, &s, NULL));
	return s;
}

/* All of RAM, but for the tree at its end. */
static void ram_is_as_loaded(void)
{
	uint64_t tree = registers().x[11] - BASE;

	ck_assert(machine_read_memory(f.m, BASE, got, SIZE));
	ck_assert_mem_eq(got, image, sizeof(image));
	for (size_t i = sizeof(image); i < tree; i++)
		if (got[i])
			ck_abort_msg("byte %zx is %u", i, got[i]);
	ck_assert_int_eq(fdt_check_full(got + tree, SIZE - tree), 0);
}

static unsigned resets(void)
{
	Pmu__V1__Trace *t = fixture_trace(&f);
	unsigned n = 0;

	while (fixture_record(t, PMU__V1__RECORD__KIND_RESET, n))
		n++;
	fixture_free_trace(t);
	return n;
}

/* Also where it reboots in another machine than it began in. */
TEST_TIMES(behind_a_reboot_memory_is_as_at_the_start, 2)
{
	unsigned flushes;

	make("reboot=on");
	ck_assert(machine_pause(f.m, NULL));
	spoil(BASE + 8);
	spoil(BASE + BUS_PAGE + 8);
	spoil(BASE + 2 * BUS_PAGE);
	spoil(BASE + SIZE / 2);
	spoil(registers().x[11]);
	if (_i)
		fixture_move(&f);
	ck_assert(machine_resume(f.m, NULL));
	flushes = fake.tlb_flushes;
	while (!resets())
		fixture_run(&f, 1, 1);
	ck_assert_uint_gt(fake.tlb_flushes, flushes);
	ck_assert_int_eq(fixture_state(&f), MACHINE_RUNNING);
	ck_assert_uint_eq(fixture_status(&f).insn, 4);
	ck_assert_uint_eq(registers().pc, BASE);
	ck_assert_uint_eq(registers().x[1], 0);
	ram_is_as_loaded();
	while (resets() < 3)
		fixture_run(&f, 1, 1);
	ram_is_as_loaded();
}

TEST(where_none_is_kept_a_reboot_is_an_end)
{
	struct state state = { 0 };
	struct error e;

	make("reboot=off");
	ck_assert(machine_give(f.m, &state, &e));
	for (size_t i = 0; i + 4 < state.all.tail; i++)
		ck_assert(memcmp(state.all.data + i, "kept", 4));
	state_free(&state);
	fixture_run(&f, 100, 10);
	ck_assert_int_eq(fixture_state(&f), MACHINE_ENDED);
	ck_assert_int_eq(fixture_status(&f).cause, CAUSE_REBOOT);
	ck_assert_uint_eq(resets(), 0);
}

/* So much is kept and no more: eight images of 16 MiB, and the tree. */
TEST_TIMES(so_much_is_kept_for_a_reboot, 2)
{
	const size_t size = FOOTPRINT_MAX_KEPT / 8;
	uint8_t *bytes = malloc(size);
	struct machine_image one = { .kind = IMAGE_FLAT,
				     .bytes = bytes,
				     .size = size };
	struct machine_config cfg = { .m_mode = true,
				      .harts = 1,
				      .memory =
					      FOOTPRINT_MAX_KEPT + (16 << 20) };
	struct machine *m;
	struct error e;
	uint64_t entry;
	bool good;

	memset(bytes, 1, size);
	make("");
	settings_init(&cfg.settings);
	cfg.settings.reboot = !_i;
	ck_assert(machine_new(&m, &cfg, &f.trace.recorder, &e));
	for (unsigned i = 0; i < 8; i++) {
		one.address = BASE + i * size;
		ck_assert(machine_load(m, &one, &entry, &e));
	}
	good = machine_start(m, true, &e);
	ck_assert(good == _i);
	if (!good) {
		ck_assert_int_eq(e.kind, ERROR_NO_ROOM);
		ck_assert_str_eq(e.reason, "IMAGES_LIMIT");
		ck_assert_str_eq(e.text,
				 "start: the images take 129 MiB; for a reboot "
				 "at most 128 MiB are kept (setting reboot=off "
				 "keeps none)");
	}
	machine_free(m);
	free(bytes);
}

/* A state that says of too many pages is refused before they are looked for. */
TEST_TIMES(a_state_keeps_so_many_pages, 2)
{
	struct recorder recorder = { 0 };
	struct state state = { 0 };
	struct machine *m;
	struct error e;
	size_t n = FOOTPRINT_MAX_KEPT / BUS_PAGE + (size_t)_i;
	uint8_t *at;

	make("reboot=on");
	ck_assert(machine_give(f.m, &state, &e));
	at = memmem(state.all.data, state.all.tail,
		    "kept\0\0\0\0\0\0\0\0\0\0\0", 16);
	ck_assert_ptr_nonnull(at);
	memcpy(at + 24, &n, sizeof(n)); /* behind name and length */
	ck_assert(machine_new(&m, machine_config(f.m), &recorder, &e));
	ck_assert(!machine_take(m, &state, &e));
	ck_assert_str_eq(e.text, _i ? "state: its kept does not fit this "
				      "machine"
				    : "state: its kept at does not fit this "
				      "machine");
	machine_free(m);
	state_free(&state);
}

/* What firmware finds */

static const struct info_row {
	const char *settings;
	unsigned size;	     /* of a word */
	bool other;	     /* an image that it goes to */
	uint64_t next, mode; /* that it is told */
} info_rows[] = {
	{ "xlen=64", 8, true, BASE + 0x200000, 1 },
	{ "xlen=32", 4, true, BASE + 0x200000, 1 },
};

TEST_ROWS(firmware_is_told_where_it_goes, info_rows)
{
	const struct info_row *row = &info_rows[_i];
	const struct machine_image firmware = { .kind = IMAGE_FIRMWARE,
						.bytes = image,
						.size = sizeof(image) };
	const uint64_t want[] = { 0x4942534f, 2, row->next, row->mode, 0, 0 };
	struct hart_state s;
	uint64_t entry, tree, size;

	mallopt(M_PERTURB, 0xa5); /* memory that nobody has cleared */
	SCRIPT(reset_ops);
	fixture_init(&f,
		     &(struct fixture_config){ .m_mode = true,
					       .settings = row->settings,
					       .image = image,
					       .image_size = sizeof(image),
					       .address = BASE + 0x200000 });
	ck_assert(machine_load(f.m, &firmware, &entry, NULL));
	ck_assert_uint_eq(entry, BASE);
	fixture_start(&f);
	s = registers();
	ck_assert_uint_eq(s.pc, BASE);
	ck_assert_uint_eq(s.x[10], 0);
	for (unsigned i = 0; i < ARRAY_SIZE(want); i++) {
		uint64_t word = 0;

		ck_assert(machine_read_memory(f.m, s.x[12] + i * row->size,
					      &word, row->size));
		ck_assert_uint_eq(word, want[i]);
	}
	/* a tree with room for what firmware adds to it */
	tree = s.x[11] - BASE;
	ck_assert_uint_eq(tree % 4096, 0);
	ck_assert(machine_read_memory(f.m, BASE, got, SIZE));
	size = fdt_totalsize(got + tree);
	ck_assert_int_eq(fdt_check_full(got + tree, SIZE - tree), 0);
	for (uint64_t i = tree + size; i < tree + size + (64 << 10); i++)
		if (got[i])
			ck_abort_msg("byte %llx is %u", (unsigned long long)i,
				     got[i]);
}

/* Has as many parts as it is told, a page each. */
static void load_parts(unsigned n)
{
	size_t size = sizeof(Elf64_Ehdr) + n * sizeof(Elf64_Phdr);
	struct machine_image parts = { .kind = IMAGE_ELF, .size = size };
	Elf64_Ehdr *head = calloc(1, size);
	Elf64_Phdr *part = (Elf64_Phdr *)(head + 1);
	uint64_t entry;
	struct error e;

	ck_assert_ptr_nonnull(head);
	*head = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_RISCV,
		.e_version = EV_CURRENT,
		.e_entry = BASE + 0x200000,
		.e_phoff = sizeof(*head),
		.e_ehsize = sizeof(*head),
		.e_phentsize = sizeof(*part),
		.e_phnum = (uint16_t)n,
	};
	for (unsigned i = 0; i < n; i++)
		part[i] = (Elf64_Phdr){ .p_type = PT_LOAD,
					.p_flags = PF_R | PF_X,
					.p_vaddr = head->e_entry + i * 4096,
					.p_paddr = head->e_entry + i * 4096,
					.p_filesz = 1,
					.p_memsz = 4096 };
	parts.bytes = (const uint8_t *)head;
	ck_assert_msg(machine_load(f.m, &parts, &entry, &e), "%s", e.text);
	free(head);
}

/* The fixture's own, the firmware, and what is placed at the start. */
static const struct room_row {
	unsigned parts;
	const char *text; /* NULL: it starts */
} room_rows[] = {
	{ LOADER_MAX_RANGES - 4, NULL },
	{ LOADER_MAX_RANGES - 3,
	  "firmware: image 5: the machine takes at most 256 parts of images" },
	{ LOADER_MAX_RANGES - 2,
	  "device tree: image 4: the machine takes at most 256 parts of "
	  "images" },
};

TEST_ROWS(what_a_start_places_has_to_fit, room_rows)
{
	const struct room_row *row = &room_rows[_i];
	const struct machine_image firmware = { .kind = IMAGE_FIRMWARE,
						.bytes = image,
						.size = sizeof(image) };
	uint64_t entry;
	struct error e;

	SCRIPT(reset_ops);
	fixture_init(&f,
		     &(struct fixture_config){ .m_mode = true,
					       .image = image,
					       .image_size = sizeof(image),
					       .address = BASE + 0x180000 });
	load_parts(row->parts);
	ck_assert(machine_load(f.m, &firmware, &entry, &e));
	ck_assert_int_eq(machine_start(f.m, false, &e), !row->text);
	if (row->text)
		ck_assert_str_eq(e.text, row->text);
}

SUITE("machine-reset", .teardown = teardown);
