/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * BASE: who we are and what we offer. The opensbi profile answers as the
 * reference firmware does, so that clients take its paths.
 */
#include "sbi-extension.h"

enum {
	IMPL_ID = 0x504d5544, /* no registered number is ours */
	IMPL_VERSION = 0x000100,
	OPENSBI_ID = 1,
	OPENSBI_VERSION = 0x10009,
};

static struct sbi_ret spec_version(struct fw *fw, struct sbi_call *call)
{
	return sbi_ok(fw->cfg.spec_version);
}

static struct sbi_ret impl_id(struct fw *fw, struct sbi_call *call)
{
	return sbi_ok(fw->cfg.quirks.claims_opensbi ? OPENSBI_ID : IMPL_ID);
}

static struct sbi_ret impl_version(struct fw *fw, struct sbi_call *call)
{
	return sbi_ok(fw->cfg.quirks.claims_opensbi ? OPENSBI_VERSION
						    : IMPL_VERSION);
}

static struct sbi_ret probe(struct fw *fw, struct sbi_call *call)
{
	return sbi_ok(sbi_probe(fw, sbi_caller(fw, call), call->arg[0]));
}

static struct sbi_ret mvendorid(struct fw *fw, struct sbi_call *call)
{
	return sbi_ok(pmu_hart_config(sbi_caller(fw, call)->pmu)->mvendorid);
}

static struct sbi_ret marchid(struct fw *fw, struct sbi_call *call)
{
	return sbi_ok(pmu_hart_config(sbi_caller(fw, call)->pmu)->marchid);
}

static struct sbi_ret mimpid(struct fw *fw, struct sbi_call *call)
{
	return sbi_ok(pmu_hart_config(sbi_caller(fw, call)->pmu)->mimpid);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(spec_version, SBI_V02) }, [1] = { CALL(impl_id, SBI_V02) },
	[2] = { CALL(impl_version, SBI_V02) }, [3] = { CALL(probe, SBI_V02) },
	[4] = { CALL(mvendorid, SBI_V02) },    [5] = { CALL(marchid, SBI_V02) },
	[6] = { CALL(mimpid, SBI_V02) },
};

const struct sbi_ext sbi_ext_base = {
	.eid = SBI_EID_BASE,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
