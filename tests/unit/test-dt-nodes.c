/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Several riscv,pmu nodes: which harts each is for, what is wrong with a tree
 * as a whole, and what the guest gets to see.
 */
#include <string.h>

#include <pmu/rule.h>

#include "dt-faults.h"

#define LINES	 "interrupts-extended"
/* A hart's overflow interrupt. */
#define OF(hart) DT_INTC + (hart), 13

enum {
	MAX_NODES = 3,
	OTHER = 9, /* a hart that no tree here has */
};

static const struct dt_cpu cpus[] = {
	{ 0, "rv64imac_zihpm_sscofpmf_smcntrpmf" },
	{ 1, "rv64imac_zihpm_sscofpmf_smcntrpmf" },
	{ 2, "rv64imac_zihpm_sscofpmf" },
	{ 3, "rv64imac_zihpm" },
};

struct node {
	struct dt_prop props[3];
	const char *status;
};

#define GOOD(counters) PROP(RANGES, 1, 2, counters)
#define NODE(...)                                                              \
	{                                                                      \
		PROPS(__VA_ARGS__)                                             \
	}

/* A tree of the four harts and the nodes /pmu-0, /pmu-1, ... */
static void *make(const struct node *nodes, unsigned n)
{
	void *dtb = dt_begin();
	char name[16];

	dt_cpus(dtb, cpus, ARRAY_SIZE(cpus));
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "pmu-%u", i);
		dt_begin_pmu(dtb, name);
		if (nodes[i].status)
			ck_assert(!fdt_property_string(dtb, "status",
						       nodes[i].status));
		dt_props(dtb, nodes[i].props, 3);
		ck_assert(!fdt_end_node(dtb));
	}
	return dt_end(dtb);
}

static const struct nodes_row {
	const char *why, *rule;
	unsigned n;
	struct node nodes[MAX_NODES];
	const char *want; /* faults, notes on second nodes left out */
	bool refused;
	int node[5]; /* of harts 0 to 3 and another, -1: none */
} nodes_rows[] = {
	{ "one node is for all harts",
	  RULE("C104"),
	  1,
	  { NODE(GOOD(8)) },
	  "",
	  false,
	  { 0, 0, 0, 0, 0 } },
	{ "also for those that it does not name",
	  RULE("C192"),
	  1,
	  { NODE(GOOD(8), PROP(LINES, OF(0), OF(1))) },
	  "warning /cpus/cpu@2: no riscv,pmu node is for this hart C192\n"
	  "warning /cpus/cpu@3: no riscv,pmu node is for this hart C192\n",
	  false,
	  { 0, 0, -1, -1, -1 } },
	{ "each group has its node",
	  RULE("C104"),
	  2,
	  { NODE(GOOD(8), PROP(LINES, OF(0), OF(3))),
	    NODE(GOOD(16), PROP(LINES, OF(1), OF(2))) },
	  "",
	  false,
	  { 0, 1, 1, 0, -1 } },
	{ "one that names none is for the rest",
	  RULE("C104"),
	  2,
	  { NODE(GOOD(8)), NODE(GOOD(16), PROP(LINES, OF(1))) },
	  "",
	  false,
	  { 0, 1, 0, 0, 0 } },
	{ "in any order",
	  RULE("C104"),
	  2,
	  { NODE(GOOD(16), PROP(LINES, OF(1))), NODE(GOOD(8)) },
	  "",
	  false,
	  { 1, 0, 1, 1, 1 } },
	{ "a hart named twice by a node is no fault",
	  RULE("C104"),
	  1,
	  { NODE(GOOD(8), PROP(LINES, OF(0), OF(0), OF(1), OF(2), OF(3))) },
	  "",
	  false,
	  { 0, 0, 0, 0, -1 } },
	{ "two nodes for a hart",
	  RULE("C100"),
	  2,
	  { NODE(GOOD(8), PROP(LINES, OF(0), OF(1))),
	    NODE(GOOD(16), PROP(LINES, OF(2), OF(3), OF(1))) },
	  "error /pmu-1: " LINES
	  " row 3: an earlier node is for this hart C100\n",
	  true,
	  { 0 } },
	{ "two nodes for the rest",
	  RULE("C100"),
	  2,
	  { NODE(GOOD(8)), NODE(GOOD(16)) },
	  "error /pmu-1: names no hart, as an earlier node C100\n",
	  true,
	  { 0 } },
	{ "a controller that is no hart's",
	  RULE("C104"),
	  1,
	  { NODE(GOOD(8), PROP(LINES, 7, 13, OF(0))) },
	  "warning /pmu-0: " LINES " row 1: not a hart's interrupt controller, "
	  "the rest is not read C104\n",
	  false,
	  { 0, 0, 0, 0, 0 } },
	{ "another interrupt than LCOFI",
	  RULE("C104"),
	  2,
	  { NODE(GOOD(8), PROP(LINES, OF(0), DT_INTC + 1, 9)), NODE(GOOD(8)) },
	  "warning /pmu-0: " LINES
	  " row 2: an overflow interrupt is the hart's 13 C104\n",
	  false,
	  { 0, 0, 1, 1, 1 } },
	{ "faults of every node are told",
	  RULE("C100"),
	  2,
	  { NODE(PROP(RANGES, 5, 3, 8), PROP(LINES, OF(0))),
	    NODE(PROP(RANGES, 1, 1, 8, 1, 1, 8)) },
	  "error /pmu-0: " RANGES
	  " row 1: the first event is above the last C101\n"
	  "error /pmu-1: " RANGES
	  " row 2: the events overlap those of an earlier row C101\n",
	  true,
	  { 0 } },
	{ "a disabled node is none",
	  RULE("C192"),
	  2,
	  { { PROPS(GOOD(8)), "disabled" }, { PROPS(GOOD(16)), "okay" } },
	  "warning /pmu-0: status: the node is disabled and is not read "
	  "C192\n",
	  false,
	  { 1, 1, 1, 1, 1 } },
	{ "fixed counters alone, where Sscofpmf has no Smcntrpmf",
	  RULE("C102"),
	  2,
	  { NODE(PROP(RANGES, 1, 1, 1), PROP(LINES, OF(0), OF(3))),
	    NODE(PROP(RANGES, 1, 1, 1, 2, 2, 8), PROP(LINES, OF(1), OF(2))) },
	  "note /pmu-1: " RANGES
	  " row 1: a fixed counter alone, on a hart with Sscofpmf that has no "
	  "Smcntrpmf C102\n",
	  false,
	  { 0, 1, 1, 0, -1 } },
};

/* What was said, without the notes on second nodes. */
static const char *said(struct faults *faults)
{
	static const char second[] = ": not the first riscv,pmu node C100\n";
	char *at, *start;

	while ((at = strstr(faults->text, second)) != NULL) {
		for (start = at; start > faults->text && start[-1] != '\n';)
			start--;
		at += strlen(second);
		memmove(start, at, strlen(at) + 1);
	}
	return faults->text;
}

static const char *path(int node)
{
	static char text[16];

	snprintf(text, sizeof(text), "/pmu-%d", node);
	return text;
}

TEST_ROWS(each_hart_has_the_node_that_is_for_it, nodes_rows)
{
	const struct nodes_row *row = &nodes_rows[_i];
	void *dtb = make(row->nodes, row->n);
	struct faults faults;
	struct fw_dt *dt;
	int err = faults_read(&dt, dtb, FW_PROFILE_SPEC, &faults);

	shows(row->rule);
	free(dtb);
	ck_assert_msg(!strcmp(said(&faults), row->want), "%s: %s", row->why,
		      faults.text);
	ck_assert_int_eq(err, row->refused ? -FW_EDT : 0);
	for (unsigned i = 0; !err && i < 5; i++) {
		const char *got = fw_dt_path(dt, i < 4 ? i : OTHER);

		if (row->node[i] < 0)
			ck_assert_msg(!got, "%s: hart %u", row->why, i);
		else
			ck_assert_msg(got && !strcmp(got, path(row->node[i])),
				      "%s: hart %u has %s", row->why, i, got);
	}
	fw_dt_free(dt);
}

TEST_ROWS(the_reference_has_the_first_node_for_all, nodes_rows)
{
	const struct nodes_row *row = &nodes_rows[_i];
	void *dtb = make(row->nodes, row->n);
	struct faults faults;
	struct fw_dt *dt;

	shows(RULE("C100"));
	ck_assert_int_eq(faults_read(&dt, dtb, FW_PROFILE_OPENSBI, &faults), 0);
	free(dtb);
	for (unsigned i = 0; i < 5; i++)
		ck_assert_str_eq(fw_dt_path(dt, i < 4 ? i : OTHER), "/pmu-0");
	fw_dt_free(dt);
}

TEST_TIMES(a_tree_without_a_node_has_no_pmu, 2)
{
	void *dtb = make(NULL, 0);
	struct faults faults;
	struct fw_dt *dt;

	shows(RULE("C192"));
	ck_assert_int_eq(faults_read(&dt, dtb, _i, &faults), 0);
	ck_assert_ptr_null(dt);
	ck_assert_str_eq(faults.text, "warning /: there is no riscv,pmu node: "
				      "SBI offers no PMU C192\n");
	free(dtb);
}

/* Where it stands is not the binding's: the tree's own root is a node, too. */
TEST_TIMES(the_root_may_be_the_node, 2)
{
	static const struct dt_prop props[] = { GOOD(8) };
	void *dtb = dt_begin();
	struct faults faults;
	struct fw_dt *dt;

	shows(RULE("C104"));
	ck_assert(!fdt_property_string(dtb, "compatible", "riscv,pmu"));
	dt_props(dtb, props, 1);
	dt_cpus(dtb, cpus, ARRAY_SIZE(cpus));
	dt_end(dtb);
	ck_assert_int_eq(faults_read(&dt, dtb, _i, &faults), 0);
	ck_assert_str_eq(faults.text, "");
	for (unsigned i = 0; i < 5; i++)
		ck_assert_str_eq(fw_dt_path(dt, i < 4 ? i : OTHER), "/");
	fw_dt_free(dt);
	/* and the guest's tree has none of its private properties */
	ck_assert_int_eq(fw_dt_fixup(dtb, NULL, 0), 0);
	ck_assert_ptr_null(fdt_getprop(dtb, 0, RANGES, NULL));
	ck_assert_ptr_nonnull(fdt_getprop(dtb, 0, "compatible", NULL));
	free(dtb);
}

/* Devicetree Specification, status: only these two words mean that it works. */
static const struct status_row {
	const char *status;
	bool read;
} status_rows[] = {
	{ "okay", true },   { "ok", true },  { "oka", false },
	{ "okey", false },  { "no", false }, { "disabled", false },
	{ "okayy", false }, { "", false },
};

TEST_ROWS(a_node_is_read_unless_it_is_disabled, status_rows)
{
	const struct node node = { .props = { GOOD(8) },
				   .status = status_rows[_i].status };
	void *dtb = make(&node, 1);
	struct faults faults;
	struct fw_dt *dt;

	shows(RULE("C192"));
	ck_assert_int_eq(faults_read(&dt, dtb, FW_PROFILE_SPEC, &faults), 0);
	ck_assert_msg((dt != NULL) == status_rows[_i].read, "%s",
		      status_rows[_i].status);
	fw_dt_free(dt);
	free(dtb);
}

TEST(the_trees_harts_are_known)
{
	const struct node node = NODE(GOOD(8));
	void *dtb = make(&node, 1);
	struct faults faults;
	struct fw_dt *dt;

	ck_assert_int_eq(faults_read(&dt, dtb, FW_PROFILE_SPEC, &faults), 0);
	free(dtb);
	ck_assert_uint_eq(fw_dt_n_harts(dt), ARRAY_SIZE(cpus));
	for (unsigned i = 0; i < ARRAY_SIZE(cpus); i++)
		ck_assert_uint_eq(fw_dt_hartid(dt, i), cpus[i].id);
	fw_dt_free(dt);
}

/* The bytes behind the last whole entry are none. */
TEST_TIMES(a_cut_entry_names_no_hart, 8)
{
	const struct dt_prop counters[] = { GOOD(8) };
	const fdt32_t lines[] = { cpu_to_fdt32(DT_INTC), cpu_to_fdt32(13),
				  cpu_to_fdt32(DT_INTC + 1), cpu_to_fdt32(13) };
	void *dtb = dt_begin();
	struct faults faults;
	struct fw_dt *dt;

	shows(RULE("C104"));
	dt_cpus(dtb, cpus, 2);
	dt_begin_pmu(dtb, "pmu-0");
	dt_props(dtb, counters, 1);
	ck_assert(!fdt_property(dtb, LINES, lines, (int)sizeof(lines) - _i));
	ck_assert(!fdt_end_node(dtb));
	dt_end(dtb);
	ck_assert_int_eq(faults_read(&dt, dtb, FW_PROFILE_SPEC, &faults), 0);
	free(dtb);
	ck_assert_str_eq(fw_dt_path(dt, 0), "/pmu-0");
	ck_assert_int_eq(!fw_dt_path(dt, 1), !!_i);
	fw_dt_free(dt);
}

/* Limits: what is beyond them is said, and not read. */
TEST(a_tree_may_be_larger_than_we_read)
{
	static struct dt_cpu many[FW_DT_MAX_HARTS + 1];
	struct fw_dt *dt;
	struct faults faults;
	void *dtb = calloc(1, 1 << 20);

	for (unsigned i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = (struct dt_cpu){ i, "rv64i" };
	ck_assert(!fdt_create(dtb, 1 << 20) && !fdt_finish_reservemap(dtb) &&
		  !fdt_begin_node(dtb, ""));
	dt_cpus(dtb, many, ARRAY_SIZE(many));
	for (unsigned i = 0; i <= FW_DT_MAX_NODES; i++) {
		const struct dt_prop props[] = { GOOD(8), PROP(LINES, OF(i)) };

		dt_pmu(dtb, path((int)i), props, 2);
	}
	dt_end(dtb);
	ck_assert_int_eq(faults_read(&dt, dtb, FW_PROFILE_SPEC, &faults),
			 -FW_EDT);
	ck_assert_ptr_nonnull(strstr(
		faults.text, "error /: more than 64 riscv,pmu nodes C100\n"));
	ck_assert_ptr_nonnull(strstr(faults.text, "warning /cpus: more than 64 "
						  "harts, the rest is not read "
						  "C104\n"));
	free(dtb);
}

/* The guest's tree */

static bool has(const void *dtb, int node, const char *name)
{
	char full[32];
	int at;

	snprintf(full, sizeof(full), "/pmu-%d", node);
	at = fdt_path_offset(dtb, full);
	ck_assert_int_ge(at, 0);
	return fdt_getprop(dtb, at, name, NULL);
}

TEST_TIMES(the_guest_sees_no_private_property, 2)
{
	const struct dt_prop props[] = {
		{ SELECTS, CELLS(3, 0, 1) },
		{ LINES, CELLS(OF(0)) },
		{ RANGES, CELLS(1, 1, 8) },
		{ "interrupts", CELLS(13) },
		{ RAWS, CELLS(0, 2, ~0u, ~0u, 8) },
		{ "interrupt-parent", CELLS(1) },
	};
	static const char *const kept[] = { "compatible", "interrupts",
					    "interrupt-parent" };
	static const uint32_t lcofi[] = { 0 };
	void *dtb = dt_begin();
	int n = 0, node, prop;

	shows(RULE("C104"));
	dt_cpus(dtb, cpus, 1);
	dt_pmu(dtb, "pmu-0", props, ARRAY_SIZE(props));
	dt_end(dtb);
	ck_assert_int_eq(fw_dt_fixup(dtb, lcofi, (size_t)_i), 0);
	for (unsigned i = 0; i < ARRAY_SIZE(kept); i++)
		ck_assert(has(dtb, 0, kept[i]));
	node = fdt_path_offset(dtb, "/pmu-0");
	fdt_for_each_property_offset(prop, dtb, node) n++;
	ck_assert_int_eq(n, 3 + _i);
	ck_assert(has(dtb, 0, LINES) == !!_i);
	ck_assert_int_eq(fdt_check_full(dtb, fdt_totalsize(dtb)), 0);
	free(dtb);
}

TEST(each_node_keeps_interrupts_where_its_harts_have_them)
{
	const struct node nodes[] = {
		NODE(GOOD(8), PROP(LINES, OF(0), OF(1))),
		NODE(GOOD(8), PROP(LINES, OF(2), OF(3))),
		NODE(GOOD(8), PROP(LINES, 7, 13)),
	};
	static const uint32_t lcofi[] = { 2, 1, 0 };
	void *dtb = make(nodes, 3);

	shows(RULE("C104"));
	ck_assert_int_eq(fw_dt_fixup(dtb, lcofi, 3), 0);
	ck_assert(has(dtb, 0, LINES));
	ck_assert(!has(dtb, 1, LINES));
	ck_assert(has(dtb, 2, LINES));
	for (int i = 0; i < 3; i++)
		ck_assert(!has(dtb, i, RANGES));
	/* Of each node its own harts; where none has them, of no node. */
	ck_assert_int_eq(fw_dt_fixup(dtb, lcofi, 1), 0);
	ck_assert(!has(dtb, 0, LINES) && has(dtb, 2, LINES));
	ck_assert_int_eq(fw_dt_fixup(dtb, NULL, 0), 0);
	ck_assert(!has(dtb, 0, LINES) && !has(dtb, 2, LINES));
	free(dtb);
}

/* As OpenSBI's fix-up: M-mode's contexts are nobody's, S-mode's stay. */
static const struct plic_row {
	const char *compatible, *want;
	uint32_t cells[5], fixed[5];
	size_t n;
} plic_rows[] = {
	{ "sifive,plic-1.0.0",
	  "two contexts of a hart",
	  { 16, 11, 16, 9 },
	  { 16, ~0u, 16, 9 },
	  4 },
	{ "riscv,plic0",
	  "by the other name; contexts that are nobody's",
	  { 16, 11, 17, ~0u },
	  { 16, ~0u, 17, ~0u },
	  4 },
	{ "sifive,plic-1.0.0",
	  "handles are no interrupts, and half an entry is none",
	  { 11, 9, 11, 11, 11 },
	  { 11, 9, 11, ~0u, 11 },
	  5 },
	{ "other,plic", "another controller", { 16, 11 }, { 16, 11 }, 2 },
	{ "riscv,plic0", "none at all", { 0 }, { 0 }, 0 },
};

TEST_ROWS(the_guest_has_no_context_of_m_mode, plic_rows)
{
	const struct plic_row *row = &plic_rows[_i];
	uint32_t cells[5];
	void *dtb = dt_begin();
	const fdt32_t *got;
	int node, len;

	dt_cpus(dtb, cpus, 1);
	for (size_t i = 0; i < row->n; i++)
		cells[i] = cpu_to_fdt32(row->cells[i]);
	ck_assert_int_eq(fdt_begin_node(dtb, "plic"), 0);
	ck_assert_int_eq(
		fdt_property_string(dtb, "compatible", row->compatible), 0);
	ck_assert_int_eq(fdt_property(dtb, LINES, cells, (int)row->n * 4), 0);
	ck_assert_int_eq(fdt_end_node(dtb), 0);
	dt_end(dtb);
	ck_assert_int_eq(fw_dt_fixup(dtb, NULL, 0), 0);
	node = fdt_path_offset(dtb, "/plic");
	got = fdt_getprop(dtb, node, LINES, &len);
	ck_assert_int_eq(len, (int)row->n * 4);
	for (size_t i = 0; i < row->n; i++)
		ck_assert_msg(fdt32_ld(&got[i]) == row->fixed[i], "%s",
			      row->want);
	free(dtb);
}

TEST(a_tree_without_a_node_needs_no_fix)
{
	char garbage[64] = "not a tree";
	void *dtb = dt_make(NULL, 0);

	ck_assert_int_eq(fw_dt_fixup(dtb, NULL, 0), 0);
	ck_assert_int_eq(fw_dt_fixup(garbage, NULL, 0), -FW_EDT);
	free(dtb);
}

SUITE("dt-nodes");
