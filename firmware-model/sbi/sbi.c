/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The dispatcher: decides which function a call means and whether it exists,
 * whether its flags are known, and what its arguments are. Everything else is
 * decided by the extension's own file.
 */
#include "sbi-extension.h"

#include <string.h>

#include <pmu/explain.h>

#include "counters/fw-events.h"
#include "text.h"

static const struct sbi_ext *const extensions[] = {
	&sbi_ext_base,	 &sbi_ext_time, &sbi_ext_ipi,  &sbi_ext_rfence,
	&sbi_ext_hsm,	 &sbi_ext_srst, &sbi_ext_dbcn, &sbi_ext_susp,
	&sbi_ext_fwft,	 &sbi_ext_sse,	&sbi_ext_pmu,  &sbi_ext_ebb,
	&sbi_ext_legacy,
};
enum {
	N_EXTENSIONS = sizeof(extensions) / sizeof(*extensions)
};

static const struct sbi_ext *find_ext(uint32_t eid)
{
	for (size_t i = 0; i < N_EXTENSIONS; i++) {
		const struct sbi_ext *e = extensions[i];

		if (eid == e->eid ||
		    (e->legacy && eid >= e->eid && eid - e->eid < e->n))
			return e;
	}
	return NULL;
}

/* A signed 32-bit number in a register: the sign must fill it (C2, C198). */
static bool number32(const struct fw_hart *h, uint64_t reg, uint32_t *ret)
{
	if (fw_xlen(h) != 32 && (int64_t)reg != (int32_t)(uint32_t)reg)
		return false;
	*ret = (uint32_t)reg;
	return true;
}

static bool ext_available(const struct fw *fw, const struct sbi_ext *e)
{
	bool some = false;

	for (unsigned i = 0; i < e->n && !some; i++)
		some = e->funcs[i].since <= fw->cfg.spec_version;
	return some && (!e->available || e->available(fw));
}

static const struct sbi_func *find_func(const struct fw *fw,
					const struct sbi_ext *e, uint32_t fid)
{
	const struct sbi_func *f;

	if (!ext_available(fw, e) || fid >= e->n)
		return NULL;
	f = &e->funcs[fid];
	if (!f->fn || f->since > fw->cfg.spec_version ||
	    (f->available && !f->available(fw)))
		return NULL;
	return f;
}

bool sbi_probe(const struct fw *fw, const struct fw_hart *h, uint64_t reg)
{
	const struct sbi_ext *e;
	uint32_t eid;

	if (!number32(h, reg, &eid))
		return false;
	e = find_ext(eid);
	return e && ext_available(fw, e);
}

/* a0-a5 as arguments: the only place where RV32 pairs are joined (C3). */
static void take_args(const struct fw_hart *h, const struct sbi_func *f,
		      const uint64_t args[8], uint64_t ret[6])
{
	for (unsigned n = 0, from = 0; from < 6; n++) {
		ret[n] = args[from++] & sbi_xmask(h);
		/* No function's pair begins in a5. */
		if (fw_xlen(h) == 32 && f->wide == n + 1)
			ret[n] |= args[from++] << 32;
	}
}

static uint64_t known_flags(const struct fw *fw, const struct sbi_func *f)
{
	uint64_t known = 0;

	for (unsigned i = 0; i < SBI_FLAG_VERSIONS; i++)
		if (f->known[i].since <= fw->cfg.spec_version)
			known |= f->known[i].bits;
	return known;
}

/* Unknown flag bits: refused, or ignored as the reference does (C18, C47). */
static bool take_flags(const struct fw *fw, const struct sbi_func *f,
		       uint64_t arg[6])
{
	const uint64_t known = known_flags(fw, f);

	if (!f->flags || !(arg[f->flags - 1] & ~known))
		return true;
	if (f->strict || !fw->cfg.quirks.ignores_flags)
		return false;
	arg[f->flags - 1] &= known;
	return true;
}

static struct sbi_ret run(struct fw *fw, struct sbi_call *call,
			  const struct sbi_func *f, const uint64_t args[8])
{
	struct fw_hart *h = sbi_caller(fw, call);
	struct sbi_ret ret;

	call->kind = f->kind;
	take_args(h, f, args, call->arg);
	if (!take_flags(fw, f, call->arg))
		return sbi_err(REFUSE(
			fw, INVALID_PARAM, "flags %x: only %x are defined",
			call->arg[f->flags - 1], known_flags(fw, f)));
	ret = f->fn(fw, call);
	ret.value &= sbi_xmask(h);
	/* One of a set may have been refused and the call not. */
	if (!ret.error)
		fw->why->text = NULL;
	return ret;
}

static int64_t unknown(const struct fw *fw, const struct sbi_ext *e,
		       const uint64_t args[8])
{
	if (!e)
		return REFUSE(fw, NOT_SUPPORTED, "there is no extension %x",
			      args[7]);
	if (!ext_available(fw, e))
		return REFUSE(fw, NOT_SUPPORTED,
			      "extension %x is not offered here", args[7]);
	return REFUSE(fw, NOT_SUPPORTED,
		      "function %d of extension %x is not offered here",
		      args[6], args[7]);
}

struct sbi_ret sbi_dispatch(struct fw *fw, struct sbi_call *call,
			    const uint64_t args[8], bool *ret_legacy)
{
	const struct fw_hart *h = sbi_caller(fw, call);
	const struct sbi_func *f = NULL;
	const struct sbi_ext *e = NULL;
	uint32_t eid, fid = 0;

	fw_event(fw, call->hart, FW_EV_SBI_CALL);
	fw->why->text = NULL;
	if (number32(h, args[7], &eid))
		e = find_ext(eid);
	*ret_legacy = e && e->legacy;
	if (*ret_legacy)
		f = find_func(fw, e, eid - e->eid);
	else if (e && number32(h, args[6], &fid))
		f = find_func(fw, e, fid);
	if (!f)
		return sbi_err(unknown(fw, e, args));
	pmu_hart_author(h->pmu, &(struct pmu_origin){ .by = PMU_BY_FIRMWARE,
						      .eid = eid,
						      .fid = fid,
						      .cycle = call->now });
	return run(fw, call, f, args);
}

enum fw_outcome fw_sbi_call(struct fw *fw, unsigned hart, uint64_t now,
			    const uint64_t args[8], struct sbi_ret *ret)
{
	struct sbi_call call;
	struct sbi_ret answer;
	bool legacy;

	if (hart >= fw->n_harts) {
		*ret = sbi_err(
			REFUSE(fw, FAILED, "the machine has no hart %d", hart));
		return FW_DONE;
	}
	sbi_call_init(&call, hart, now, NULL);
	answer = sbi_dispatch(fw, &call, args, &legacy);
	if (call.faulted)
		answer = sbi_err(REFUSE(fw, INVALID_ADDRESS,
					"the hart mask at %x cannot be read",
					call.fault.tval));
	if (call.outcome == FW_DONE)
		*ret = answer;
	return call.outcome;
}

const struct fw_refusal *fw_refusal(const struct fw *fw)
{
	return fw->why;
}

void fw_refusal_text(const struct fw_refusal *refusal, char *buf, size_t size)
{
	uint64_t number = refusal->a;
	struct text t;

	text_init(&t, buf, size);
	for (const char *p = refusal->text; p && *p; p++) {
		if (*p != '%') {
			text_str(&t, (const char[]){ *p, '\0' });
			continue;
		}
		if (*++p == 'd')
			text_dec(&t, number);
		else
			text_hex(&t, number);
		number = refusal->b;
	}
}
