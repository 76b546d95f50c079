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

enum {
	N_CSRS = 4096,
	N_MODES = PMU_MODE_U + 1, /* M, S, U */
};

/* What the golden list says of a number; "" when it is not listed. */
struct golden {
	char name[24];
	char access[2][N_MODES]; /* [closed]: '-', 'r', 'w' */
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
};

/* Which modes a hart of this configuration has. */
static bool mode_exists(const struct config *c, unsigned mode)
{
	return (mode != PMU_MODE_S || !(c->hart.del & PMU_EXT_S)) &&
	       (mode != PMU_MODE_U || !(c->hart.del & PMU_EXT_U));
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

static void golden_line(struct golden *g, const char *line)
{
	char range[16], name[24], a[2][N_MODES];
	unsigned first, last;

	ck_assert_int_eq(sscanf(line, "%15s %23s %c %c %c %c %c %c", range,
				name, &a[0][0], &a[0][1], &a[0][2], &a[1][0],
				&a[1][1], &a[1][2]),
			 8);
	if (sscanf(range, "%x-%x", &first, &last) != 2)
		last = first;
	for (unsigned num = first; num <= last; num++) {
		expand(g[num].name, sizeof(g->name), name, num - first);
		memcpy(g[num].access, a, sizeof(a));
	}
}

static void golden_load(struct golden *g, const char *name)
{
	char path[512], line[128];
	FILE *f;

	memset(g, 0, N_CSRS * sizeof(*g));
	for (unsigned num = 0; num < N_CSRS; num++)
		memset(g[num].access, '-', sizeof(g->access));
	snprintf(path, sizeof(path), "%s/%s.golden", RULES_DIR, name);
	f = fopen(path, "r");
	ck_assert_msg(f != NULL, "%s", path);
	while (fgets(line, sizeof(line), f))
		if (line[0] != '#')
			golden_line(g, line);
	fclose(f);
}

/* Opens or closes everything that guards a CSR; what is absent stays so. */
static void set_enables(struct pmu_hart *h, bool closed)
{
	static const struct {
		uint16_t num;
		uint64_t open, closed;
	} enables[] = {
		{ MCOUNTEREN, UINT32_MAX, 0 },
		{ SCOUNTEREN, UINT32_MAX, 0 },
		{ MENVCFG, UINT64_C(1) << 63, 0 },
		{ MENVCFGH, UINT64_C(1) << 31, 0 },
		{ MSTATUS, 0x6000, 0x100000 },
	};
	unsigned effects = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(enables); i++)
		(void)pmu_csr_poke(h, enables[i].num, 0,
				   closed ? enables[i].closed : enables[i].open,
				   &effects);
}

/* '-', 'r' or 'w', by trying. */
static char probe(struct pmu_hart *h, unsigned num)
{
	struct pmu_csr_req read = { .num = (uint16_t)num,
				    .op = PMU_CSR_SET,
				    .read = true };
	struct pmu_csr_req write = { .num = (uint16_t)num,
				     .op = PMU_CSR_SET,
				     .write = true };
	bool r, w;
	uint64_t old;
	unsigned effects;

	r = pmu_csr(h, &read, &old, &effects) == PMU_CSR_OK;
	w = pmu_csr(h, &write, &old, &effects) == PMU_CSR_OK;
	return w && r ? 'w' : r ? 'r' : w ? '!' : '-';
}

START_TEST(every_number_from_every_mode_is_as_the_golden_list_says)
{
	const struct config *c = &configs[_i / 2];
	static struct golden golden[N_CSRS];
	struct pmu_hart *h = script_hart(&c->hart, c->hart.xlen);
	bool closed = _i % 2;

	golden_load(golden, c->file);
	set_enables(h, closed);
	for (unsigned n = 0; n < N_CSRS * N_MODES; n++) {
		unsigned num = n / N_MODES, mode = n % N_MODES;
		char want = golden[num].access[closed][mode], got;

		if (!mode_exists(c, mode))
			continue;
		pmu_hart_set_mode(h, (enum pmu_mode)mode);
		got = probe(h, num);
		ck_assert_msg(got == want, "%s, %s: %#x from %s is %c, not %c",
			      c->file, closed ? "closed" : "open", num,
			      pmu_mode_name((enum pmu_mode)mode), got, want);
	}
	pmu_hart_free(h);
}
END_TEST

START_TEST(every_number_has_the_name_of_the_golden_list)
{
	const struct config *c = &configs[_i];
	static struct golden golden[N_CSRS];
	struct pmu_hart *h = script_hart(&c->hart, c->hart.xlen);

	golden_load(golden, c->file);
	for (unsigned num = 0; num < N_CSRS; num++) {
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
	ck_assert_ptr_null(pmu_csr_name(h, N_CSRS));
	pmu_hart_free(h);
}
END_TEST

/* Peek and poke see what M-mode sees, whatever the mode is. */
START_TEST(peek_and_poke_reach_what_m_mode_reaches)
{
	const struct config *c = &configs[_i];
	static struct golden golden[N_CSRS];
	struct pmu_hart *h = script_hart(&c->hart, c->hart.xlen);

	golden_load(golden, c->file);
	set_enables(h, true);
	pmu_hart_set_mode(h, PMU_MODE_U);
	for (unsigned num = 0; num < N_CSRS; num++) {
		bool known = golden[num].name[0] && num > FCSR;
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
END_TEST

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

START_TEST(operations_combine)
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
END_TEST

START_TEST(floating_point_csrs_are_the_engines)
{
	const struct script s = { .why = "fcsr" };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_csr_req req = { .num = (uint16_t)(FFLAGS + _i),
				   .read = true,
				   .write = true };
	uint64_t old = 77;
	unsigned effects = 0;

	set_enables(h, false);
	ck_assert_int_eq(pmu_csr(h, &req, &old, &effects), PMU_CSR_OK);
	ck_assert_uint_eq(effects, PMU_FX_FCSR);
	ck_assert_uint_eq(old, 77);
	pmu_hart_free(h);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("csr");
	TCase *tc = tcase_create("csr");
	int n = (int)ARRAY_SIZE(configs);

	tcase_add_loop_test(
		tc, every_number_from_every_mode_is_as_the_golden_list_says, 0,
		2 * n);
	tcase_add_loop_test(tc, every_number_has_the_name_of_the_golden_list, 0,
			    n);
	tcase_add_loop_test(tc, peek_and_poke_reach_what_m_mode_reaches, 0, n);
	tcase_add_loop_test(tc, operations_combine, 0,
			    (int)ARRAY_SIZE(op_rows));
	tcase_add_loop_test(tc, floating_point_csrs_are_the_engines, 0, 3);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return unit_main(suite());
}
