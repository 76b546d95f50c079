/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every CSR number from every mode, against the golden lists; and the path of
 * an access: read-modify-write, halves, names, peek and poke.
 */
#include <stdio.h>
#include <string.h>

#include <pmu/csr.h>
#include <pmu/error.h>
#include <pmu/rule.h>

#include "hart-script.h"
#include "unit.h"

#define H(n) (UINT64_C(1) << (n))
#define DELEG                                                                  \
	(PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND | PMU_EXT_SMCDELEG |              \
	 PMU_EXT_SSCCFG)
#define DELEG_H                                                                \
	(DELEG | PMU_EXT_H | PMU_EXT_SSTC | PMU_EXT_SMSTATEEN |                \
	 PMU_EXT_SMAIA | PMU_EXT_SSAIA)
#define CDE H(60)

enum {
	N_MODES = PMU_N_MODES,
};

/* How much of what guards a CSR is open; GUEST only where there is H. */
enum state {
	OPEN,
	CLOSED,
	GUEST, /* closed by the hypervisor alone */
	N_STATES
};

/* What the golden list says of a number; "" when it is not listed. */
struct golden {
	char name[24];
	char access[N_STATES][N_MODES]; /* see probe() */
};

static const struct config {
	const char *file;
	struct script hart;
} configs[] = {
	{ "csr-rv64", { .xlen = 64 } },
	{ "csr-rv32", { .xlen = 32 } },
	{ "csr-rv64-sstc",
	  { .xlen = 64, .add = PMU_EXT_SSTC | PMU_EXT_SVADU | PMU_EXT_SVADE } },
	{ "csr-rv32-sstc",
	  { .xlen = 32,
	    .add = PMU_EXT_SSTC,
	    .del = PMU_EXT_F | PMU_EXT_D | PMU_EXT_ZIHPM | PMU_EXT_SSCOFPMF |
		   PMU_EXT_SMCNTRPMF } },
	{ "csr-rv64-mu",
	  { .xlen = 64,
	    .del = PMU_EXT_S | PMU_EXT_F | PMU_EXT_D | PMU_EXT_SMCNTRPMF } },
	{ "csr-rv32-m", { .xlen = 32, .del = UINT32_MAX } },
	{ "csr-rv64-h", { .xlen = 64, .add = PMU_EXT_H | PMU_EXT_SSTC } },
	{ "csr-rv32-h", { .xlen = 32, .add = PMU_EXT_H | PMU_EXT_SSTC } },
	{ "csr-rv64-deleg", { .xlen = 64, .add = DELEG } },
	{ "csr-rv32-deleg", { .xlen = 32, .add = DELEG } },
	{ "csr-rv64-deleg-h", { .xlen = 64, .add = DELEG_H } },
	{ "csr-rv32-deleg-h", { .xlen = 32, .add = DELEG_H } },
};

/* Which modes a hart of this configuration has. */
static bool mode_exists(const struct config *c, unsigned mode)
{
	return (mode != PMU_MODE_S || !(c->hart.del & PMU_EXT_S)) &&
	       (mode != PMU_MODE_U || !(c->hart.del & PMU_EXT_U)) &&
	       (mode <= PMU_MODE_U || c->hart.add & PMU_EXT_H);
}

/* "hpmcounter[3]h" is hpmcounter3h for the first number of the run. */
static void expand(char *ret, size_t size, const char *pattern, unsigned offset)
{
	const char *open = strchr(pattern, '[');

	if (open)
		snprintf(ret, size, "%.*s%u%s", (int)(open - pattern), pattern,
			 (unsigned)atoi(open + 1) + offset,
			 strchr(open, ']') + 1);
	else
		snprintf(ret, size, "%s", pattern);
}

/*
 * The letters of a line: modes M S U, open and closed, and with H also VS VU,
 * and GUEST. Blanks are for the reader.
 */
static void golden_letters(char ret[N_STATES][N_MODES], const char *text,
			   bool h)
{
	unsigned n_modes = h ? N_MODES : PMU_MODE_U + 1;
	unsigned n = (h ? N_STATES : CLOSED + 1) * n_modes, at = 0;

	memset(ret, '-', N_STATES * N_MODES);
	for (; *text; text++) {
		if (strchr(" \n", *text))
			continue;
		ck_assert_uint_lt(at, n);
		ret[at / n_modes][at % n_modes] = *text;
		at++;
	}
	ck_assert_uint_eq(at, n);
}

static void golden_line(struct golden *g, const char *line, bool h)
{
	char range[16], name[24], a[N_STATES][N_MODES];
	unsigned first, last;
	int at = 0;

	ck_assert_int_eq(sscanf(line, "%15s %23s %n", range, name, &at), 2);
	golden_letters(a, line + at, h);
	if (sscanf(range, "%x-%x", &first, &last) != 2)
		last = first;
	for (unsigned num = first; num <= last; num++) {
		expand(g[num].name, sizeof(g->name), name, num - first);
		memcpy(g[num].access, a, sizeof(a));
	}
}

static void golden_load(struct golden *g, const struct config *c)
{
	char path[512], line[128];
	FILE *f;

	memset(g, 0, PMU_N_CSRS * sizeof(*g));
	for (unsigned num = 0; num < PMU_N_CSRS; num++)
		memset(g[num].access, '-', sizeof(g->access));
	snprintf(path, sizeof(path), "%s/%s.golden", RULES_DIR, c->file);
	f = fopen(path, "r");
	ck_assert_msg(f != NULL, "%s", path);
	while (fgets(line, sizeof(line), f))
		if (line[0] != '#')
			golden_line(g, line, c->hart.add & PMU_EXT_H);
	fclose(f);
}

/* Opens or closes everything that guards a CSR; what is absent stays so. */
static void set_enables(struct pmu_hart *h, enum state state)
{
	static const struct {
		uint16_t num;
		uint64_t value[N_STATES];
	} enables[] = {
		{ MCOUNTEREN, { UINT32_MAX, 0, UINT32_MAX } },
		{ SCOUNTEREN, { UINT32_MAX, 0, UINT32_MAX } },
		{ HCOUNTEREN, { UINT32_MAX, 0, 0 } },
		/* those of the hypervisor while the machine's are open */
		{ MENVCFG, { H(63), H(63), H(63) } },
		{ MENVCFGH, { H(31), H(31), H(31) } },
		{ HENVCFG, { H(63), 0, 0 } },
		{ HENVCFGH, { H(31), 0, 0 } },
		{ MENVCFG, { H(63) | CDE, 0, H(63) | CDE } },
		{ MENVCFGH, { (H(63) | CDE) >> 32, 0, (H(63) | CDE) >> 32 } },
		{ SISELECT, { 0x43, 0x43, 0x43 } },
		{ VSISELECT, { 0x43, 0x43, 0x43 } },
		{ MSTATUS, { 0x6000, 0x100000, 0x6000 } },
		{ VSSTATUS, { 0x6000, 0, 0 } },
		{ HSTATUS, { 0, 0x100000, 0x100000 } },
	};
	unsigned effects = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(enables); i++)
		(void)pmu_csr_poke(h, enables[i].num, 0,
				   enables[i].value[state], &effects);
	for (uint16_t n = 0; n < 4; n++) {
		uint64_t m = state == CLOSED ? 0 : UINT64_MAX;
		uint64_t g = state == OPEN ? UINT64_MAX : 0;

		(void)pmu_csr_poke(h, MSTATEEN0 + n, 0, m, &effects);
		(void)pmu_csr_poke(h, MSTATEEN0H + n, 0, m, &effects);
		(void)pmu_csr_poke(h, HSTATEEN0 + n, 0, g, &effects);
		(void)pmu_csr_poke(h, HSTATEEN0H + n, 0, g, &effects);
	}
}

/*
 * By trying: '-' illegal, 'r' reads, 'w' reads and writes, 'v' virtual, 'V'
 * reading is virtual and writing illegal.
 */
static char probe(struct pmu_hart *h, unsigned num)
{
	struct pmu_csr_req read = { .num = (uint16_t)num,
				    .op = PMU_CSR_SET,
				    .read = true };
	struct pmu_csr_req write = { .num = (uint16_t)num,
				     .op = PMU_CSR_SET,
				     .write = true };
	static const char letters[3][3] = {
		[PMU_CSR_OK] = { 'w', 'r', '!' },
		[PMU_CSR_ILLEGAL] = { '!', '-', '!' },
		[PMU_CSR_VIRTUAL] = { '!', 'V', 'v' },
	};
	enum pmu_csr_result r, w;
	uint64_t old;
	unsigned effects;

	r = pmu_csr(h, &read, &old, &effects);
	w = pmu_csr(h, &write, &old, &effects);
	return letters[r][w];
}

TEST_TIMES(every_number_from_every_mode_is_as_the_golden_list_says,
	   N_STATES *ARRAY_SIZE(configs))
{
	const struct config *c = &configs[_i / N_STATES];
	static struct golden golden[PMU_N_CSRS];
	struct pmu_hart *h = script_hart(&c->hart, c->hart.xlen);
	enum state state = (enum state)(_i % N_STATES);

	golden_load(golden, c);
	set_enables(h, state);
	for (unsigned n = 0; n < PMU_N_CSRS * N_MODES; n++) {
		unsigned num = n / N_MODES, mode = n % N_MODES;
		char want = golden[num].access[state][mode], got;

		if (!mode_exists(c, mode) ||
		    (state == GUEST && !(c->hart.add & PMU_EXT_H)))
			continue;
		pmu_hart_set_mode(h, (enum pmu_mode)mode);
		got = probe(h, num);
		ck_assert_msg(got == want,
			      "%s, state %d: %#x from %s is %c, not %c",
			      c->file, state, num,
			      pmu_mode_name((enum pmu_mode)mode), got, want);
	}
	pmu_hart_free(h);
}

TEST_ROWS(every_number_has_the_name_of_the_golden_list, configs)
{
	const struct config *c = &configs[_i];
	static struct golden golden[PMU_N_CSRS];
	struct pmu_hart *h = script_hart(&c->hart, c->hart.xlen);

	golden_load(golden, c);
	for (unsigned num = 0; num < PMU_N_CSRS; num++) {
		const char *name = pmu_csr_name(h, (uint16_t)num);

		if (!golden[num].name[0]) {
			ck_assert_msg(!name, "%#x exists", num);
			ck_assert_ptr_null(pmu_csr_rule(h, (uint16_t)num));
			continue;
		}
		ck_assert_msg(name != NULL, "%#x has no name", num);
		ck_assert_str_eq(name, golden[num].name);
		ck_assert_int_eq(pmu_csr_by_name(h, name), (int)num);
	}
	ck_assert_int_eq(pmu_csr_by_name(h, "mcycles"), -PMU_EINVAL);
	ck_assert_ptr_null(pmu_csr_name(h, PMU_N_CSRS));
	pmu_hart_free(h);
}

/* Peek and poke see what M-mode sees, whatever the mode is. */
TEST_ROWS(peek_and_poke_reach_what_m_mode_reaches, configs)
{
	const struct config *c = &configs[_i];
	static struct golden golden[PMU_N_CSRS];
	struct pmu_hart *h = script_hart(&c->hart, c->hart.xlen);

	golden_load(golden, c);
	set_enables(h, CLOSED);
	pmu_hart_set_mode(h, PMU_MODE_U);
	for (unsigned num = 0; num < PMU_N_CSRS; num++) {
		const char *name = golden[num].name;
		/*
		 * behind sireg and its like there is nothing when closed; what
		 * an IMSIC has is nobody's
		 */
		bool known = name[0] && num > FCSR && !strstr(name, "ireg") &&
			     !strstr(name, "topei");
		bool writable = known && num >> 10 != 3;
		uint64_t value;
		unsigned effects;

		ck_assert_msg((pmu_csr_peek(h, (uint16_t)num, 0, &value) ==
			       0) == known,
			      "peek %#x", num);
		ck_assert_msg((pmu_csr_poke(h, (uint16_t)num, 0, 0, &effects) ==
			       0) == writable,
			      "poke %#x", num);
	}
	pmu_hart_free(h);
}

static const struct op_row {
	const char *why, *rule;
	struct pmu_csr_req req;
	uint64_t old, after; /* of mscratch, 0xf0 before; old 1: untouched */
} op_rows[] = {
	{ "csrrw writes and reads the old value",
	  RULE("csrrw_op"),
	  { .op = PMU_CSR_WRITE, .read = true, .write = true, .value = 0x0f },
	  0xf0,
	  0x0f },
	{ "csrrw to x0 does not read",
	  RULE("C180"),
	  { .op = PMU_CSR_WRITE, .write = true, .value = 0x0f },
	  1,
	  0x0f },
	{ "csrrs sets",
	  RULE("csrrs_op"),
	  { .op = PMU_CSR_SET, .read = true, .write = true, .value = 0x1f },
	  0xf0,
	  0xff },
	{ "csrrc clears",
	  RULE("csrrc_op"),
	  { .op = PMU_CSR_CLEAR, .read = true, .write = true, .value = 0x3f },
	  0xf0,
	  0xc0 },
	{ "csrrs from x0 only reads",
	  RULE("csrrs_csrrc_rs1_x0"),
	  { .op = PMU_CSR_SET, .read = true, .value = 0x0f },
	  0xf0,
	  0xf0 },
};

TEST_ROWS(operations_combine, op_rows)
{
	const struct op_row *row = &op_rows[_i];
	const struct script s = { .why = row->why };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_csr_req req = row->req;
	uint64_t old = 1, after = 0;
	unsigned effects = 0;

	shows(row->rule);
	req.num = MSCRATCH;
	ck_assert_int_eq(pmu_csr_poke(h, MSCRATCH, 0, 0xf0, &effects), 0);
	ck_assert_msg(pmu_csr(h, &req, &old, &effects) == PMU_CSR_OK, "%s",
		      row->why);
	ck_assert_msg(old == row->old, "%s", row->why);
	ck_assert_int_eq(pmu_csr_peek(h, MSCRATCH, 0, &after), 0);
	ck_assert_msg(after == row->after, "%s", row->why);
	ck_assert_uint_eq(effects, 0);
	ck_assert_uint_eq(pmu_hart_insns(h), 0);
	pmu_hart_free(h);
}

TEST_TIMES(floating_point_csrs_are_the_engines, 3)
{
	const struct script s = { .why = "fcsr" };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_csr_req req = { .num = (uint16_t)(FFLAGS + _i),
				   .read = true,
				   .write = true };
	uint64_t old = 77;
	unsigned effects = 0;

	set_enables(h, OPEN);
	ck_assert_int_eq(pmu_csr(h, &req, &old, &effects), PMU_CSR_OK);
	ck_assert_uint_eq(effects, PMU_FX_FCSR);
	ck_assert_uint_eq(old, 77);
	pmu_hart_free(h);
}

SUITE("csr");
