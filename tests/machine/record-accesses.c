/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a guest with models of caches and writes what each hart's core was
 * shown, and how much of it the models say happened: record-accesses FILE GUEST
 * SETTINGS. It is a test only because what it uses is made for tests;
 * cachegrind.py is the one that reads it. A line for each access, in order,
 * "HART I|L|S ADDRESS SIZE" (physical and hex), an instruction that lies in two
 * lines being two of them, which is how it is fetched (docs/UARCH.md); then
 * "HART = EVENT COUNT" for each event that there is.
 */
#include <inttypes.h>
#include <stdio.h>

#include "../unit/unit.h"
#include "guest-image.h"
#include "machine-fixture.h"

enum {
	MOST = 8, /* harts */
};

struct core {
	const struct pmu_uarch *u;
	uint64_t n[PMU_N_UARCH_EVENTS];
};

static char **args;
static FILE *out;
static struct guest guest;
static struct fixture run;
static struct core cores[MOST];
static struct pmu_uarch_config config;

void __real_pmu_uarch_see(struct pmu_uarch *u,
			  const struct pmu_uarch_insn *insn,
			  const struct pmu_space *code,
			  const struct pmu_space *data,
			  struct pmu_uarch_found *ret);
void __wrap_pmu_uarch_see(struct pmu_uarch *u,
			  const struct pmu_uarch_insn *insn,
			  const struct pmu_space *code,
			  const struct pmu_space *data,
			  struct pmu_uarch_found *ret);
struct pmu_uarch *__real_pmu_uarch_new(const struct pmu_uarch_config *cfg);
struct pmu_uarch *__wrap_pmu_uarch_new(const struct pmu_uarch_config *cfg);

struct pmu_uarch *__wrap_pmu_uarch_new(const struct pmu_uarch_config *cfg)
{
	config = *cfg;
	return __real_pmu_uarch_new(cfg);
}

static unsigned core_of(const struct pmu_uarch *u)
{
	unsigned i = 0;

	while (i < MOST && cores[i].u && cores[i].u != u)
		i++;
	if (i == MOST)
		ck_abort_msg("too many harts");
	cores[i].u = u;
	return i;
}

/*
 * Both pages of it lie beside each other: one address says it all. Check takes
 * its time for each assertion that holds.
 */
static void check_span(const struct pmu_span *s)
{
	uint64_t page = 4096, room = page - s->vaddr % page;

	if (s->size > room && s->paddr[1] != s->paddr[0] + room)
		ck_abort_msg("two pages that lie apart");
}

static void print(unsigned core, char kind, const struct pmu_span *s)
{
	check_span(s);
	fprintf(out, "%u %c %" PRIx64 " %x\n", core, kind, s->paddr[0],
		s->size);
}

static void print_code(unsigned core, const struct pmu_span *s)
{
	uint64_t room = config.l1i.line - s->paddr[0] % config.l1i.line;
	struct pmu_span part = *s;

	check_span(s);
	if (room < s->size) {
		part.size = (uint8_t)room;
		print(core, 'I', &part);
		part.vaddr += room;
		part.paddr[0] += room;
		part.size = (uint8_t)(s->size - room);
	}
	print(core, 'I', &part);
}

void __wrap_pmu_uarch_see(struct pmu_uarch *u,
			  const struct pmu_uarch_insn *insn,
			  const struct pmu_space *code,
			  const struct pmu_space *data,
			  struct pmu_uarch_found *ret)
{
	unsigned core = core_of(u);

	__real_pmu_uarch_see(u, insn, code, data, ret);
	print_code(core, &insn->code);
	if (insn->load && !insn->device)
		print(core, 'L', &insn->data);
	if (insn->store && !insn->device)
		print(core, 'S', &insn->data);
	for (unsigned i = 0; i < ret->n; i++)
		cores[core].n[ret->event[i]]++;
}

static void print_counts(unsigned core)
{
	static const struct {
		const char *name;
		enum pmu_uarch_event event;
	} events[] = {
		{ "I1-misses", PMU_UA_L1I_LOAD_MISSES },
		{ "D1-loads", PMU_UA_L1D_LOADS },
		{ "D1-load-misses", PMU_UA_L1D_LOAD_MISSES },
		{ "D1-stores", PMU_UA_L1D_STORES },
		{ "D1-store-misses", PMU_UA_L1D_STORE_MISSES },
		{ "LL-loads", PMU_UA_LL_LOADS },
		{ "LL-load-misses", PMU_UA_LL_LOAD_MISSES },
		{ "LL-stores", PMU_UA_LL_STORES },
		{ "LL-store-misses", PMU_UA_LL_STORE_MISSES },
		{ "LL-hits", PMU_UA_CACHE_REFERENCES },
		{ "LL-misses", PMU_UA_CACHE_MISSES },
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		fprintf(out, "%u = %s %" PRIu64 "\n", core, events[i].name,
			cores[core].n[events[i].event]);
}

static void setup(void)
{
	out = fopen(args[0], "w");
	ck_assert(out);
}

static void teardown(void)
{
	fixture_fini(&run);
	guest_free(&guest);
	fclose(out);
}

TEST(accesses_are_recorded)
{
	char text[GUEST_SETTINGS];
	struct fixture_config cfg;

	guest_read(&guest, args[1]);
	guest_configure(&guest, args[2], text, &cfg);
	/* these do not say it themselves */
	cfg.m_mode &= !guest_is(&guest, "overflow") &&
		      !guest_is(&guest, "conformance");
	fixture_init(&run, &cfg);
	guest_type(&run);
	fixture_start(&run);
	machine_console_eof(run.m);
	fixture_run(&run, 100000, UINT32_MAX);
	for (unsigned i = 0; i < MOST && cores[i].u; i++)
		print_counts(i);
	ck_assert(cores[0].u);
}

static void begin(int argc, char **argv)
{
	if (argc != 4)
		exit(2);
	args = argv + 1;
}

SUITE("record-accesses", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
