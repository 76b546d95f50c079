/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of the oracle's CSRs a hart has, and who may touch them. */
#include <stddef.h>

#include "oracle-inside.h"

static bool is_ireg(unsigned offset)
{
	return offset <= 2 || (offset >= 4 && offset <= 6);
}

static enum kind plain(const struct oracle *o, uint16_t num)
{
	static const struct {
		uint16_t num;
		uint64_t ext;
		bool rv32;
	} rows[] = {
		{ SCOUNTEREN, PMU_EXT_S, false },
		{ SCOUNTINHIBIT, PMU_EXT_SSCCFG, false },
		{ SIP, PMU_EXT_S, false },
		{ SIE, PMU_EXT_S, false },
		{ SISELECT, PMU_EXT_SSCSRIND, false },
		{ VSISELECT, PMU_EXT_SSCSRIND | PMU_EXT_H, false },
		{ MIDELEG, PMU_EXT_S, false },
		{ MIE, 0, false },
		{ MCOUNTEREN, PMU_EXT_U, false },
		{ MENVCFG, PMU_EXT_U, false },
		{ MENVCFGH, PMU_EXT_U, true },
		{ MSTATEEN0, PMU_EXT_SMSTATEEN, false },
		{ MSTATEEN0H, PMU_EXT_SMSTATEEN, true },
		{ MCOUNTINHIBIT, 0, false },
		{ MIP, 0, false },
		{ HCOUNTEREN, PMU_EXT_H, false },
		{ HSTATEEN0, PMU_EXT_SMSTATEEN | PMU_EXT_H, false },
		{ HSTATEEN0H, PMU_EXT_SMSTATEEN | PMU_EXT_H, true },
		{ SCOUNTOVF, PMU_EXT_S | PMU_EXT_SSCOFPMF, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].num == num)
			return oracle_has(o, rows[i].ext) &&
					       (!rows[i].rv32 || rv32(o))
				       ? PLAIN
				       : NONE;
	return NONE;
}

/* Does a hart of this configuration have the CSR, and of which group? */
enum kind oracle_kind(const struct oracle *o, uint16_t num)
{
	unsigned n = COUNTER_ID(num);
	uint32_t user = n < 3 ? PMU_EXT_ZICNTR : PMU_EXT_ZIHPM;

	switch (num & ~31u) {
	case 0xc00:
		return oracle_has(o, user) ? USER_LOW : NONE;
	case 0xc80:
		return rv32(o) && oracle_has(o, user) ? USER_HIGH : NONE;
	case 0xb00:
		return n == 1 ? NONE : VALUE_LOW;
	case 0xb80:
		return n == 1 || !rv32(o) ? NONE : VALUE_HIGH;
	case 0x320:
		if (n >= 3)
			return EVENT_LOW;
		if (n == 0)
			return PLAIN;
		return oracle_has(o, PMU_EXT_SMCNTRPMF) ? EVENT_LOW : NONE;
	case 0x720:
		if (!rv32(o) || n == 0)
			return NONE;
		return oracle_has(o,
				  n < 3 ? PMU_EXT_SMCNTRPMF : PMU_EXT_SSCOFPMF)
			       ? EVENT_HIGH
			       : NONE;
	default:
		break;
	}
	if (num >= SIREG && is_ireg(num - SIREG))
		return oracle_has(o, PMU_EXT_SSCSRIND) ? INDIRECT : NONE;
	if (num >= VSIREG && is_ireg(num - VSIREG))
		return oracle_has(o, PMU_EXT_SSCSRIND | PMU_EXT_H) ? VS_INDIRECT
								   : NONE;
	return plain(o, num);
}

static bool is_user(const struct oracle *o)
{
	return o->mode == PMU_MODE_U || o->mode == PMU_MODE_VU;
}

/* The chain of C115. */
static enum pmu_csr_result enabled(const struct oracle *o, unsigned n)
{
	if (o->mode == PMU_MODE_M)
		return PMU_CSR_OK;
	if (!(o->mcounteren >> n & 1))
		return PMU_CSR_ILLEGAL;
	if (is_virtual(o) && !(o->hcounteren >> n & 1))
		return PMU_CSR_VIRTUAL;
	if (is_user(o) && oracle_has(o, PMU_EXT_S) && !(o->scounteren >> n & 1))
		return is_virtual(o) ? PMU_CSR_VIRTUAL : PMU_CSR_ILLEGAL;
	return PMU_CSR_OK;
}

static bool csrind(const struct oracle *o)
{
	return o->mode == PMU_MODE_M || !oracle_has(o, PMU_EXT_SMSTATEEN) ||
	       o->mstateen >> CSRIND & 1;
}

static bool csrind_of_guest(const struct oracle *o)
{
	return !oracle_has(o, PMU_EXT_SMSTATEEN) ||
	       (o->mstateen & o->hstateen) >> CSRIND & 1;
}

/* siselect, vsiselect, sireg*, vsireg*: C133 (1) to (4). */
static enum pmu_csr_result gate_indirect(const struct oracle *o, bool vs)
{
	if (!csrind(o))
		return PMU_CSR_ILLEGAL;
	if (o->mode == PMU_MODE_U)
		return PMU_CSR_ILLEGAL;
	if (o->mode == PMU_MODE_VU || (vs && is_virtual(o)))
		return PMU_CSR_VIRTUAL;
	if (o->mode == PMU_MODE_VS && !csrind_of_guest(o))
		return PMU_CSR_VIRTUAL;
	return PMU_CSR_OK;
}

/* Is there something at siselect 0x40 + @n behind sireg number @reg (C129)? */
static bool delegated_register(const struct oracle *o, unsigned n, unsigned reg)
{
	bool high = reg == 4 || reg == 5, config = reg == 2 || reg == 5;

	if (!o->cde || n == 1 || !(o->mcounteren >> n & 1))
		return false;
	if (reg == 3 || reg == 6 || (high && !rv32(o)))
		return false;
	if (n < 3)
		return oracle_has(o, PMU_EXT_ZICNTR) &&
		       (!config || oracle_has(o, PMU_EXT_SMCNTRPMF));
	if (!oracle_has(o, PMU_EXT_ZIHPM))
		return false;
	return reg != 5 || oracle_has(o, PMU_EXT_SSCOFPMF);
}

/* sireg is 1, sireg2-3 are 2-3, sireg4-6 follow after a gap. */
unsigned oracle_ireg(uint16_t num)
{
	unsigned offset = num & 15;

	return offset <= 3 ? offset : offset - 1;
}

static enum pmu_csr_result check_indirect(const struct oracle *o, uint16_t num)
{
	bool vs = num >= VSISELECT;
	enum pmu_csr_result r = gate_indirect(o, vs);
	bool ours = o->vsiselect >= 0x40 && o->vsiselect < 0x60;

	if (r != PMU_CSR_OK)
		return r;
	if (vs)
		return PMU_CSR_ILLEGAL; /* C133 (5) */
	if (o->mode == PMU_MODE_VS)
		return ours && o->cde ? PMU_CSR_VIRTUAL : PMU_CSR_ILLEGAL;
	if (o->siselect < 0x40 || o->siselect >= 0x60)
		return PMU_CSR_ILLEGAL;
	return delegated_register(o, (unsigned)o->siselect - 0x40,
				  oracle_ireg(num))
		       ? PMU_CSR_OK
		       : PMU_CSR_ILLEGAL;
}

static enum pmu_csr_result check_scountinhibit(const struct oracle *o)
{
	if (!o->cde)
		return PMU_CSR_ILLEGAL;
	if (is_virtual(o))
		return PMU_CSR_VIRTUAL;
	return o->mode == PMU_MODE_U ? PMU_CSR_ILLEGAL : PMU_CSR_OK;
}

static enum pmu_csr_result check_scountovf(const struct oracle *o)
{
	if (o->mode == PMU_MODE_U)
		return PMU_CSR_ILLEGAL;
	if (o->mode == PMU_MODE_VU || (o->mode == PMU_MODE_VS && o->cde))
		return PMU_CSR_VIRTUAL;
	return PMU_CSR_OK;
}

/* The lowest privilege by number, and what those below get. */
static enum pmu_csr_result check_privilege(const struct oracle *o, uint16_t num)
{
	static const uint8_t levels[PMU_N_MODES] = {
		[PMU_MODE_M] = 3,  [PMU_MODE_S] = 2,  [PMU_MODE_U] = 0,
		[PMU_MODE_VS] = 1, [PMU_MODE_VU] = 0,
	};
	unsigned needs = num >> 8 & 3;

	if (levels[o->mode] >= needs)
		return PMU_CSR_OK;
	return is_virtual(o) && needs < 3 ? PMU_CSR_VIRTUAL : PMU_CSR_ILLEGAL;
}

static bool indirect(enum kind kind, uint16_t num)
{
	return kind == INDIRECT || kind == VS_INDIRECT ||
	       (kind == PLAIN && (num == SISELECT || num == VSISELECT));
}

enum pmu_csr_result oracle_check(const struct oracle *o, enum kind kind,
				 const struct oracle_access *a)
{
	if (kind == NONE)
		return PMU_CSR_ILLEGAL;
	if (a->write && a->num >> 10 == 3)
		return PMU_CSR_ILLEGAL;
	if (kind == USER_LOW || kind == USER_HIGH)
		return enabled(o, COUNTER_ID(a->num));
	if (kind == PLAIN && a->num == SCOUNTINHIBIT)
		return check_scountinhibit(o);
	if (kind == PLAIN && a->num == SCOUNTOVF)
		return check_scountovf(o);
	if (kind == PLAIN && (a->num == HSTATEEN0 || a->num == HSTATEEN0H) &&
	    o->mode != PMU_MODE_M && !(o->mstateen >> SE & 1))
		return PMU_CSR_ILLEGAL;
	if (indirect(kind, a->num)) {
		if (kind == PLAIN)
			return gate_indirect(o, a->num == VSISELECT);
		return check_indirect(o, a->num);
	}
	return check_privilege(o, a->num);
}
