/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one path of every CSR access: existence, privilege and read-only by
 * number, guard, read, mask, write, and the halves of RV32. What a CSR holds
 * is decided by its row, which stands with the functions that it names.
 */
#include "csr-reach.h"

#include <assert.h>
#include <string.h>

#include <pmu/csr-name.h>
#include <pmu/error.h>

#include "counter-state.h"
#include "csr-execute.h"

/*
 * Every table, in an order that means nothing. A hart's csr_row has a number's
 * table in its upper byte, counted from 1, and its row in the lower one.
 */
static const struct csr_desc *const tables[] = {
	NULL,	       csr_aia_table, csr_counter_table, csr_ebb_table,
	csr_env_table, csr_hyp_table, csr_hyp_irq_table, csr_id_table,
	csr_ind_table, csr_pmp_table, csr_stateen_table, csr_trap_table,
};
enum {
	N_TABLES = sizeof(tables) / sizeof(tables[0])
};

static void add_row(struct pmu_hart *h, const struct csr_desc *d,
		    uint16_t entry)
{
	bool rv32 = h->cfg.xlen == 32;
	unsigned n = (unsigned)(d->last - d->first);

	/* A word of the hart is one CSR's. */
	assert(!n || d->read != csr_rd_reg);
	/* pmu_csr_quiet() asks for no more than that. */
	assert(!d->quiet || (d->read && d->write && !d->guard && !n));
	if (!has(h, d->ext) || (d->any && !(h->cfg.ext & d->any)))
		return;
	for (unsigned i = 0; i <= n; i++)
		if (rv32 || d->part != CSR_EVEN || i % 2 == 0)
			h->csr_row[d->first + i] = entry;
	if (!rv32 || !d->high.first || !has(h, d->high.ext))
		return;
	for (unsigned i = 0; i <= n; i++)
		h->csr_row[d->high.first + i] = entry;
}

void csr_init(struct pmu_hart *h)
{
	for (unsigned t = 1; t < N_TABLES; t++)
		for (unsigned row = 0; tables[t][row].last; row++) {
			assert(row <= UINT8_MAX);
			add_row(h, &tables[t][row], (uint16_t)(t << 8 | row));
		}
}

/*
 * The CSR that @num means in @mode: with V = 1 a VS CSR stands in for its
 * supervisor CSR. Where there is none (senvcfg, scounteren), the supervisor CSR
 * itself serves the guest.
 */
static uint16_t substitute(const struct pmu_hart *h, uint16_t num,
			   enum pmu_mode mode)
{
	if (pmu_mode_is_guest(mode) &&
	    (num >> 8 == 1 || num == PMU_CSR_STOPI) &&
	    h->csr_row[csr_vs_of(num)])
		return csr_vs_of(num);
	return num;
}

/* NULL: no such CSR on this hart. */
static const struct csr_desc *csr_find(const struct pmu_hart *h, unsigned num)
{
	unsigned entry = num < PMU_N_CSRS ? h->csr_row[num] : 0;

	return entry ? &tables[entry >> 8][entry & 0xff] : NULL;
}

/* Is @num, which @d is the row of, that of an upper half? */
static bool is_high(const struct csr_desc *d, unsigned num)
{
	return num < d->first || num > d->last;
}

/* Field by field, in its place: copying it would double an access's time. */
static void init_ref(struct csr_ref *ret, const struct csr_desc *desc,
		     uint16_t num, enum pmu_mode mode, uint64_t now)
{
	ret->desc = desc;
	ret->high = is_high(desc, num);
	ret->arg = desc->arg + (unsigned)(num - (ret->high ? desc->high.first
							   : desc->first));
	ret->mode = mode;
	ret->now = now;
	ret->modify = false;
	ret->substituted = false;
	ret->write = false;
	ret->closed_by = NULL;
}

/* What the number shows of the register. */
static uint64_t split(const struct pmu_hart *h, const struct csr_ref *ref,
		      uint64_t full)
{
	if (h->cfg.xlen == 64)
		return full;
	return ref->high ? full >> 32 : (uint32_t)full;
}

/* The register with the part that the number shows replaced (C138). */
static uint64_t join(const struct pmu_hart *h, const struct csr_ref *ref,
		     uint64_t full, uint64_t value)
{
	if (h->cfg.xlen == 64)
		return value;
	if (ref->high)
		return value << 32 | (uint32_t)full;
	if (ref->desc->part == CSR_WIDE)
		return full >> 32 << 32 | (uint32_t)value;
	return (uint32_t)value;
}

uint64_t csr_combine(const struct pmu_csr_req *req, uint64_t old)
{
	switch (req->op) {
	case PMU_CSR_WRITE:
		return req->value;
	case PMU_CSR_SET:
		return old | req->value;
	case PMU_CSR_CLEAR:
		return old & ~req->value;
	}
	return old;
}

/* What writing @req would make of the register, before its WARL rules. */
static uint64_t new_value(const struct pmu_hart *h, struct csr_ref *ref,
			  const struct pmu_csr_req *req)
{
	const struct csr_desc *d = ref->desc;
	uint64_t full, value;

	assert(d->read);
	ref->modify = true;
	full = d->read(h, ref);
	value = join(h, ref, full, csr_combine(req, split(h, ref, full)));
	return (full & d->kept) | (value & ~d->kept);
}

/*
 * The checks of an access to @num, as the instruction names it. What HS-mode
 * could not do either is illegal for a guest too, so illegal goes first.
 */
static enum pmu_csr_result check(const struct pmu_hart *h,
				 const struct csr_ref *ref, uint16_t num,
				 bool write)
{
	csr_guard_fn *guard = ref->high && ref->desc->high.guard
				      ? ref->desc->high.guard
				      : ref->desc->guard;
	enum pmu_csr_result by_guard = guard ? guard(h, ref) : PMU_CSR_OK;
	enum pmu_csr_result by_number = csr_privilege(ref->mode, num);

	if (by_guard == PMU_CSR_ILLEGAL || (write && pmu_csr_is_read_only(num)))
		return PMU_CSR_ILLEGAL;
	return by_number == PMU_CSR_OK ? by_guard : by_number;
}

/* Inline: a call would be a sixth of the time of an access. */
__attribute__((always_inline)) static inline enum pmu_csr_result
reach(const struct pmu_hart *h, const struct pmu_csr_req *req,
      uint16_t *closed_by, struct csr_ref *ret)
{
	uint16_t num = substitute(h, req->num, h->mode);
	const struct csr_desc *d = csr_find(h, num);
	enum pmu_csr_result result;

	if (!d) {
		ret->desc = NULL;
		return PMU_CSR_ILLEGAL;
	}
	init_ref(ret, d, num, h->mode, req->now);
	ret->substituted = num != req->num;
	ret->write = req->write;
	ret->closed_by = closed_by;
	result = check(h, ret, req->num, req->write);
	if (result == PMU_CSR_OK && d->part == CSR_INDIRECT)
		csr_indirect(h, ret);
	return result;
}

enum pmu_csr_result csr_reach(const struct pmu_hart *h,
			      const struct pmu_csr_req *req,
			      uint16_t *closed_by, struct csr_ref *ret)
{
	return reach(h, req, closed_by, ret);
}

uint64_t csr_show(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return split(h, ref, ref->desc->read(h, ref));
}

/*
 * Counts the instruction that makes the access, as the configuration was
 * before it. The counter whose value or event it writes does not overflow, by
 * its fetch neither (C117, C161). Returns the others that do.
 */
static uint32_t retire(struct pmu_hart *h, const struct csr_ref *ref,
		       bool write)
{
	bool counter = write && ref->desc->is_counter;
	uint32_t found;

	if (counter) {
		overflow_disarm(h, ref->arg);
		h->fetch_overflows &= ~(UINT32_C(1) << ref->arg);
	}
	found = counter_step(h);
	if (counter)
		overflow_arm(h, ref->arg);
	counter_settle(h);
	return found;
}

/* Field by field: all of it would cost what the access does. */
static void name_author(struct pmu_hart *h, const struct pmu_csr_req *req)
{
	bool user = pmu_mode_is_user(h->mode);
	bool guest = h->mode == PMU_MODE_VU;

	h->author.by = PMU_BY_GUEST;
	h->author.mode = h->mode;
	h->author.csr = req->num;
	h->author.pc = req->pc;
	h->author.satp = !user ? 0 : guest ? h->vsatp : h->satp;
	h->author.sscratch = !user ? 0 : guest ? h->vsscratch : h->sscratch;
	h->author.cycle = req->now;
}

/* One access; counted as a retired instruction if @retires. */
static enum pmu_csr_result access(struct pmu_hart *h,
				  const struct pmu_csr_req *req, bool retires,
				  uint64_t *ret_old, unsigned *effects)
{
	struct csr_ref ref;
	enum pmu_csr_result result = reach(h, req, NULL, &ref);
	const struct csr_desc *d = ref.desc;
	uint64_t old = 0, value = 0;
	uint32_t overflown = 0;
	bool writes;

	if (result != PMU_CSR_OK)
		return result;
	writes = req->write && d->write;
	if (req->read && d->read)
		old = split(h, &ref, d->read(h, &ref));
	if (writes)
		value = new_value(h, &ref, req);
	if (retires)
		overflown = retire(h, &ref, writes);
	if (writes) {
		if (!d->quiet)
			name_author(h, req);
		*effects |= d->write(h, &ref, value);
	}
	if (overflown) {
		overflow_repeat(h, overflown);
		*effects |= overflow_effects(h, overflown);
	}
	if (d->part == CSR_ENGINE)
		*effects |= PMU_FX_FCSR;
	else if (req->read)
		*ret_old = old;
	return PMU_CSR_OK;
}

enum pmu_csr_result pmu_csr(struct pmu_hart *h, const struct pmu_csr_req *req,
			    uint64_t *ret_old, unsigned *effects)
{
	return access(h, req, false, ret_old, effects);
}

enum pmu_csr_result csr_execute(struct pmu_hart *h,
				const struct pmu_csr_req *req,
				uint64_t *ret_old, unsigned *effects)
{
	return access(h, req, true, ret_old, effects);
}

/* Most of what a trap handler asks, where the word is all of the register. */
static void access_word(struct pmu_hart *h, const struct csr_desc *d,
			const struct pmu_csr_req *req, uint64_t *ret_old)
{
	char *at = (char *)h + d->arg;
	uint64_t value;

	memcpy(ret_old, at, sizeof(*ret_old));
	if (!req->write)
		return;
	value = csr_combine(req, *ret_old);
	value = (*ret_old & d->kept) | (value & ~d->kept);
	memcpy(at, &value, sizeof(value));
}

bool pmu_csr_quiet(struct pmu_hart *h, const struct pmu_csr_req *req,
		   uint64_t *ret_old, unsigned *ret_effects)
{
	struct csr_ref ref;
	const struct csr_desc *d;
	uint64_t value;

	if (reach(h, req, NULL, &ref) != PMU_CSR_OK || !ref.desc->quiet)
		return false;
	d = ref.desc;
	*ret_effects = 0;
	if (d->plain && h->cfg.xlen == 64) {
		access_word(h, d, req, ret_old);
		return true;
	}
	*ret_old = split(h, &ref, d->read(h, &ref));
	if (!req->write)
		return true;
	value = new_value(h, &ref, req);
	if (!d->quiet(h, &ref, value))
		return false;
	/* that interrupts are to be asked for again is answered: none is */
	*ret_effects = d->write(h, &ref, value) & PMU_FX_FS;
	return true;
}

enum pmu_csr_result csr_may_read(const struct pmu_hart *h, uint16_t num,
				 enum pmu_mode mode)
{
	uint16_t meant = substitute(h, num, mode);
	const struct csr_desc *d = csr_find(h, meant);
	struct csr_ref ref;

	if (!d)
		return PMU_CSR_ILLEGAL;
	init_ref(&ref, d, meant, mode, 0);
	ref.substituted = meant != num;
	return check(h, &ref, num, false);
}

/* What M-mode would reach by @num; false: nothing that is held here. */
static bool instrument_ref(const struct pmu_hart *h, uint16_t num, uint64_t now,
			   struct csr_ref *ret)
{
	const struct csr_desc *d = csr_find(h, num);

	if (!d || d->part == CSR_ENGINE || d->part == CSR_REFUSED)
		return false;
	init_ref(ret, d, num, PMU_MODE_M, now);
	if (d->part != CSR_INDIRECT)
		return true;
	if (d->guard(h, ret) != PMU_CSR_OK)
		return false;
	csr_indirect(h, ret);
	return true;
}

int pmu_csr_peek(const struct pmu_hart *h, uint16_t num, uint64_t now,
		 uint64_t *ret_value)
{
	struct csr_ref ref;

	if (!instrument_ref(h, num, now, &ref))
		return -PMU_EINVAL;
	*ret_value = csr_show(h, &ref);
	return 0;
}

int pmu_csr_poke(struct pmu_hart *h, uint16_t num, uint64_t now, uint64_t value,
		 unsigned *effects)
{
	struct pmu_csr_req req = { .op = PMU_CSR_WRITE, .value = value };
	struct csr_ref ref;

	if (pmu_csr_is_read_only(num) || !instrument_ref(h, num, now, &ref))
		return -PMU_EINVAL;
	if (ref.desc->write)
		*effects |= ref.desc->write(h, &ref, new_value(h, &ref, &req));
	return 0;
}

const char *pmu_csr_name(const struct pmu_hart *h, uint16_t num)
{
	return csr_find(h, num) ? pmu_csr_number_name(num) : NULL;
}

int pmu_csr_by_name(const struct pmu_hart *h, const char *name)
{
	for (unsigned num = 0; num < PMU_N_CSRS; num++) {
		const char *n = pmu_csr_name(h, (uint16_t)num);

		if (n && !strcmp(n, name))
			return (int)num;
	}
	return -PMU_EINVAL;
}

const char *pmu_csr_rule(const struct pmu_hart *h, uint16_t num)
{
	const struct csr_desc *d = csr_find(h, num);

	if (!d)
		return NULL;
	return is_high(d, num) && d->high.rule ? d->high.rule : d->rule;
}

uint64_t csr_rd_zero(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return 0;
}

uint64_t csr_rd_reg(const struct pmu_hart *h, const struct csr_ref *ref)
{
	uint64_t value;

	memcpy(&value, (const char *)h + ref->arg, sizeof(value));
	return value;
}

uint64_t csr_rd_reg32(const struct pmu_hart *h, const struct csr_ref *ref)
{
	uint32_t value;

	memcpy(&value, (const char *)h + ref->arg, sizeof(value));
	return value;
}

unsigned csr_wr_reg(struct pmu_hart *h, const struct csr_ref *ref,
		    uint64_t value)
{
	memcpy((char *)h + ref->arg, &value, sizeof(value));
	return 0;
}

bool csr_quiet(const struct pmu_hart *h, const struct csr_ref *ref,
	       uint64_t value)
{
	return true;
}
