/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a script word by word; one that is none fails the test. */
#include "uarch-script.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static struct pmu_span span(uint64_t vaddr, unsigned size)
{
	/* a page beyond is elsewhere */
	return (struct pmu_span){ vaddr,
				  { vaddr, 0x900000 + (vaddr & ~4095u) },
				  (uint8_t)size };
}

static uint64_t number(const char **at)
{
	char *end;
	uint64_t n = strtoull(*at + 1, &end, 16);

	ck_assert_msg(end > *at + 1, "a number in '%s'", *at);
	*at = end;
	return n;
}

/* ":2" behind an address. */
static unsigned size_of(const char **at, unsigned otherwise)
{
	return **at == ':' ? (unsigned)number(at) : otherwise;
}

static void jump(struct pmu_uarch_insn *insn, char kind, const char **at)
{
	bool taken = **at == '>';
	uint64_t target = number(at), pc = insn->code.vaddr;

	insn->flow = kind == 'b'		  ? PMU_FLOW_BRANCH
		     : kind == 'j' || kind == 'c' ? PMU_FLOW_JUMP
						  : PMU_FLOW_INDIRECT;
	insn->rd = kind == 'y' ? 5 : kind == 'c' || kind == 'x' || kind == 'z';
	insn->rs1 = kind == 'r' || kind == 'y' || kind == 'z' ? 1 : 15;
	insn->backward = target < pc;
	insn->next = taken ? target : pc + insn->code.size;
}

/* The instruction at @at; false: it is something else. */
static bool read_insn(const char **at, struct pmu_uarch_insn *ret)
{
	char kind = **at;
	uint64_t addr;

	*ret = (struct pmu_uarch_insn){ .code = span(0x10030, 4) };
	if (!strchr("lsadfbjcixryz", kind))
		return false;
	addr = number(at);
	if (strchr("lsad", kind)) {
		ret->data = span(addr, size_of(at, 8));
		ret->load = kind != 's';
		ret->store = kind == 's' || kind == 'a';
		ret->device = kind == 'd';
		return true;
	}
	ret->code = span(addr, size_of(at, 4));
	if (kind != 'f')
		jump(ret, kind, at);
	return true;
}

static void act(struct run *r, const char **at)
{
	switch (*(*at)++) {
	case '@':
		--*at;
		r->space.tag = number(at);
		r->space.translated = r->space.tag != 0;
		break;
	case '%':
		r->space.narrow = true;
		break;
	case '|':
		pmu_uarch_fence(r->u);
		break;
	case '^':
		pmu_uarch_reset(r->u);
		if (r->why)
			pmu_misses_reset(r->why);
		break;
	default:
		ck_abort_msg("what is '%s'", *at - 1);
	}
}

static void tell_misses(struct run *r)
{
	struct pmu_miss misses[PMU_MISSES_MOST];
	unsigned n = pmu_misses_take(r->why, misses);

	for (unsigned i = 0; i < n; i++)
		r->missed(r, &misses[i]);
	ck_assert_uint_eq(pmu_misses_take(r->why, misses), 0);
}

void run_see(struct run *r, const struct pmu_uarch_insn *insn)
{
	struct pmu_uarch_found found;

	pmu_uarch_see(r->u, insn, &r->space, &r->space, &found);
	for (unsigned i = 0; i < found.n; i++)
		r->n[found.event[i]]++;
	for (unsigned i = 0; i < PMU_N_STALLS; i++)
		r->stalled[i] += found.stalled[i];
	if (r->why)
		tell_misses(r);
}

void run_play(struct run *r, const char *script)
{
	struct pmu_uarch_insn insn;

	while (*script) {
		if (*script == ' ') {
			script++;
			continue;
		}
		if (!read_insn(&script, &insn)) {
			act(r, &script);
			continue;
		}
		if (r->space.narrow)
			insn.next &= UINT32_MAX;
		run_see(r, &insn);
	}
}

void run_begin(struct run *r, const struct pmu_uarch_config *cfg)
{
	*r = (struct run){ .u = pmu_uarch_new(cfg) };
	ck_assert_ptr_nonnull(r->u);
}

void run_explain(struct run *r, const struct pmu_uarch_config *cfg,
		 void (*missed)(struct run *r, const struct pmu_miss *miss))
{
	r->why = pmu_misses_new(cfg, RUN_REMEMBERED);
	ck_assert_ptr_nonnull(r->why);
	r->missed = missed;
	pmu_uarch_explain(r->u, r->why);
}

void run_end(struct run *r)
{
	pmu_misses_free(r->why);
	pmu_uarch_free(r->u);
}
