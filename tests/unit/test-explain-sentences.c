/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All that is said of a counter, to the word (explain-sentences.golden): the
 * summary, then each fact as "topic [rule] text", with a star before those that
 * keep it from counting.
 */
#include <string.h>

#include <pmu/csr-number.h>
#include <pmu/ebb-unit.h>
#include <pmu/rule.h>

#include "machine-script.h"
#include "view/explain-lcofi.h"
#include "view/explain-sentences.h"

enum {
	MOST_WRITES = 4
};

static const struct fake_op spin_ops[] = { NOP, NOP, JUMP(0) };

/* It inhibits counter 3, and gives it an event and a value. */
static const struct fake_op guest_ops[] = {
	LI(1, 8),
	LI(2, 2),
	LI(3, 77),
	CSRW(MCOUNTINHIBIT, 1),
	CSRW(MHPMEVENT3, 2),
	CSRW(MHPMCOUNTER3, 3),
	NOP,
	JUMP(6),
};

/* Counter 3 overflows at its own ninth instruction. */
static const struct fake_op overflow_ops[] = {
	LI(2, 2),
	LI(3, -2ull),
	CSRW(MHPMEVENT3, 2),
	CSRW(MHPMCOUNTER3, 3),
	NOP,
	NOP,
	NOP,
	JUMP(4),
};

static const struct fake_op pass_ops[] = { NOP, NOP, PASS };
static const struct fake_op inhibit_ops[] = { LI(1, 4), CSRW(MCOUNTINHIBIT, 1),
					      PASS };

#define SBI_PMU 0x504d55
/* Counter @n for event @idx. */
#define CONFIG(n, flags, idx)                                                  \
	LI(17, SBI_PMU), LI(16, 2), LI(10, n), LI(11, 1), LI(12, flags),       \
		LI(13, idx), LI(14, 0), INSN(FAKE_ECALL)
enum {
	CLEAR = 1 << 1,
	AUTO_START = 1 << 2,
};

static const struct fake_op sbi_ops[] = {
	CONFIG(3, CLEAR | AUTO_START, 2), /* instructions */
	CONFIG(32, CLEAR | AUTO_START, 0xf0001),
	CONFIG(33, CLEAR, 0xf0002),
	NOP,
	JUMP(24),
};

static const struct text_row {
	const char *why; /* as it stands in explain-sentences.golden */
	const struct fake_op *ops;
	size_t n_ops;
	const char *settings;
	bool s_mode, ends, fails;
	unsigned hart, index;
	struct {
		uint16_t csr;
		uint64_t value;
	} writes[MOST_WRITES];
} text_rows[] = {
#define OPS(name) name##_ops, ARRAY_SIZE(name##_ops)
#define SMCDELEG  "smcdeleg=on smcsrind=on sscsrind=on ssccfg=on"
	{ "as at reset", OPS(spin), .index = 3 },
	{ "cycle", OPS(spin), .index = 0 },
	{ "time", OPS(spin), .index = 1 },
	{ "instret, which S and U may read", OPS(spin), .settings = SMCDELEG,
	  .index = 2,
	  .writes = { { PMU_CSR_MCOUNTEREN, 4 },
		      { PMU_CSR_SCOUNTEREN, 4 },
		      { PMU_CSR_MENVCFG, 0 } } },
	{ "none", OPS(spin), "hpm-counters=0x8", .index = 9 },
	{ "without filters and overflows", OPS(spin), "sscofpmf=off",
	  .index = 3, .writes = { { MHPMEVENT3, 4 } } },
	{ "an unknown event, inhibited, in a hart with guests", OPS(spin),
	  "h=on " SMCDELEG, .index = 4,
	  .writes = { { MHPMEVENT3 + 1, 0x77 | UINT64_C(3) << 62 },
		      { MCOUNTINHIBIT, 0x10 },
		      { PMU_CSR_MCOUNTEREN, 0 } } },
	{ "filtered, delegated, and hidden from guests", OPS(spin),
	  "h=on " SMCDELEG, .index = 3,
	  .writes = { { MHPMEVENT3, 1 | UINT64_C(1) << 62 },
		      { PMU_CSR_MCOUNTEREN, 8 },
		      { PMU_CSR_SCOUNTEREN, 8 },
		      { PMU_CSR_MENVCFG, UINT64_C(1) << 60 } } },
	{ "an event that it cannot count, RV32", OPS(spin),
	  "xlen=32 hpm-events=instructions " SMCDELEG, .index = 3,
	  .writes = { { MHPMEVENT3, 1 },
		      { PMU_CSR_MENVCFGH, 1 << 28 },
		      { PMU_CSR_MCOUNTEREN, 8 } } },
	{ "delegated, but for mstateen0", OPS(spin), "smstateen=on " SMCDELEG,
	  .index = 3,
	  .writes = { { PMU_CSR_MCOUNTEREN, 8 },
		      { PMU_CSR_MENVCFG, UINT64_C(1) << 60 } } },
	{ "an LCOFI that software gives to S", OPS(spin), "smaia=on ssaia=on",
	  .index = 3,
	  .writes = { { PMU_CSR_MVIEN, 1 << 13 },
		      { PMU_CSR_SIE, 1 << 13 },
		      { PMU_CSR_MVIP, 1 << 13 } } },
	{ "an LCOFI that software gives to VS", OPS(spin),
	  "smaia=on ssaia=on h=on", .index = 3,
	  .writes = { { PMU_CSR_HVIEN, 1 << 13 },
		      { PMU_CSR_VSIE, 1 << 13 },
		      { PMU_CSR_HVIP, 1 << 13 } } },
	{ "one that is hidden", OPS(spin), "smaia=on ssaia=on h=on", .index = 3,
	  .writes = { { PMU_CSR_HVIEN, 1 << 13 },
		      { PMU_CSR_VSIE, 1 << 13 },
		      { PMU_CSR_HVIP, 1 << 13 },
		      { PMU_CSR_HVICTL, 1 << 30 } } },
	{ "claimed by a user", OPS(spin), "xpmuebb=on", .index = 3,
	  .writes = { { MHPMEVENT3, 2 },
		      { PMU_CSR_MEBBEN, 8 },
		      { PMU_CSR_SEBBOWN, 8 } } },
	{ "claimed, and frozen by the kernel", OPS(spin), "xpmuebb=on",
	  .index = 3,
	  .writes = { { MHPMEVENT3, 2 },
		      { PMU_CSR_MEBBEN, 8 },
		      { PMU_CSR_SEBBOWN, 8 },
		      { PMU_CSR_SEBBCS, PMU_SEBBCS_FZ } } },
	{ "claimed, and frozen by its user", OPS(spin), "xpmuebb=on",
	  .index = 3,
	  .writes = { { MHPMEVENT3, 2 },
		      { PMU_CSR_MEBBEN, 8 },
		      { PMU_CSR_SEBBOWN, 8 },
		      { PMU_CSR_EBBFRZ, 8 } } },
	{ "a guest has set it up", OPS(guest), .index = 3 },
	{ "it has overflowed", OPS(overflow), .index = 3 },
	{ "the run has ended", OPS(pass), .ends = true, .index = 2 },
	{ "the run has ended, and it is inhibited", OPS(inhibit), .ends = true,
	  .index = 2 },
	{ "the machine has crashed", OPS(spin), .fails = true, .ends = true,
	  .index = 2 },
	{ "its hart is stopped", OPS(sbi), .s_mode = true, .hart = 1,
	  .index = 3 },
	{ "configured by SBI", OPS(sbi), .s_mode = true, .index = 3 },
	{ "of the firmware, started", OPS(sbi), .s_mode = true, .index = 32 },
	{ "of the firmware, stopped", OPS(sbi), .s_mode = true, .index = 33 },
	{ "of the firmware, free", OPS(sbi), .s_mode = true, .index = 34 },
};

static void begin(const struct text_row *row)
{
	const struct machine_step steps = { .insns = 64,
					    .hart = STEP_NEXT_HART };

	script(row->ops, row->n_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = !row->s_mode,
						   .harts = 2,
						   .settings = row->settings });
	fixture_start(&f);
	fake.fail = row->fails;
	if (!row->ends) {
		ck_assert(machine_pause(f.m, NULL));
		ck_assert(machine_step(f.m, &steps, NULL));
	}
	fixture_run(&f, 100, UINT32_MAX);
	for (unsigned i = 0; i < MOST_WRITES && row->writes[i].csr; i++) {
		const struct input in = {
			.kind = INPUT_CSR_WRITE,
			.csr_write = { row->writes[i].csr,
				       row->writes[i].value },
		};
		struct error e;

		ck_assert_msg(machine_input(f.m, &in, NULL, &e), "%s", e.text);
	}
}

static void print(const struct explain *x, char *ret, size_t size)
{
	size_t len = (size_t)snprintf(ret, size, "%s\n", x->summary);

	for (unsigned i = 0; i < x->n; i++) {
		const struct explain_fact *fact = &x->fact[i];

		len += (size_t)snprintf(ret + len, size - len, "%s%s [%s] %s\n",
					fact->hinders ? "*" : "", fact->topic,
					fact->rule ? fact->rule : "",
					fact->text);
		ck_assert_uint_lt(len, size);
	}
}

/* What stands in the file under "== @why". */
static const char *expected(const char *why)
{
	static char text[64 << 10];
	char head[128], *from, *to;
	FILE *file = fopen(GOLDEN, "r");
	size_t n;

	ck_assert_ptr_nonnull(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[n] = '\0';
	snprintf(head, sizeof(head), "== %s\n", why);
	from = strstr(text, head);
	ck_assert_msg(from != NULL, "%s is not in " GOLDEN, why);
	from += strlen(head);
	to = strstr(from, "== ");
	if (to)
		*to = '\0';
	return from;
}

TEST_ROWS(all_is_said_of_a_counter, text_rows)
{
	const struct text_row *row = &text_rows[_i];
	char text[8192];
	struct explain x;

	begin(row);
	ck_assert(explain_counter(f.m, row->hart, row->index, &x, NULL));
	print(&x, text, sizeof(text));
	ck_assert_msg(strcmp(text, expected(row->why)) == 0, "== %s\n%s",
		      row->why, text);
}

#define TO(mode) .exists = true, .target = PMU_MODE_##mode
#define TO_S	 TO(S), .mideleg = true
#define TO_VS	 TO(VS), .mideleg = true, .hideleg = true

static const struct lcofi_row {
	struct pmu_why_lcofi why;
	bool firmware;
	const char *text;
} lcofi_rows[] = {
	{ { TO(M), .asked = true, .open = true, .enabled = true },
	  false,
	  "LCOFI is not pending; mideleg[13] = 0: it goes to M; nothing would "
	  "keep it back" },
	{ { TO(M), .asked = true, .pending = true, .enabled = true },
	  false,
	  "LCOFI is pending; mideleg[13] = 0: it goes to M; mstatus.MIE = 0 "
	  "keeps it back" },
	{ { TO(M), .pending = true },
	  true,
	  "LCOFI is pending; mideleg[13] = 0: it goes to the firmware, for its "
	  "software event; mie.LCOFIE = 0 keeps it back" },
	{ { TO_S, .pending = true, .enabled = true, .vti = true },
	  true,
	  "LCOFI is pending; mideleg[13] = 1: it goes to S; nothing keeps it "
	  "back" },
	{ { TO_S, .waits = true, .enabled = true },
	  false,
	  "LCOFI is not pending; mideleg[13] = 1: it goes to S; the hart being "
	  "in M would keep it back" },
	{ { TO_S, .asked = true, .enabled = true },
	  false,
	  "LCOFI is not pending; mideleg[13] = 1: it goes to S; sstatus.SIE = "
	  "0 would keep it back" },
	{ { TO_VS, .asked = true },
	  false,
	  "LCOFI is not pending; mideleg[13] = 1, hideleg[13] = 1: it goes to "
	  "VS; vsie.LCOFIE = 0 and vsstatus.SIE = 0 would keep it back" },
	{ { TO_VS, .enabled = true, .vti = true, .waits = true },
	  false,
	  "LCOFI is not pending; mideleg[13] = 1, hideleg[13] = 1: it goes to "
	  "VS; hvictl.VTI = 1 and no guest running would keep it back" },
	{ { TO_VS, .pending = true, .vti = true },
	  false,
	  "LCOFI is pending; mideleg[13] = 1, hideleg[13] = 1: it goes to VS; "
	  "vsie.LCOFIE = 0 and hvictl.VTI = 1 keeps it back" },
	{ { TO_VS, .pending = true, .enabled = true, .waits = true },
	  false,
	  "LCOFI is pending; mideleg[13] = 1, hideleg[13] = 1: it goes to VS; "
	  "no guest running keeps it back" },
};

TEST_ROWS(the_way_of_the_interrupt_is_said, lcofi_rows)
{
	const struct lcofi_row *row = &lcofi_rows[_i];
	char text[EXPLAIN_TEXT];

	explain_lcofi(&row->why, row->firmware, text);
	ck_assert_str_eq(text, row->text);
}

SUITE("explain-sentences", .teardown = teardown);
