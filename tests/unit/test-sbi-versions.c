/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every function of SBI in every version of it: from the version that brought
 * it on it is there, before that it is NOT_SUPPORTED and its extension, when
 * none of its functions is older, is not found. Each is called with arguments
 * that it answers by something else than NOT_SUPPORTED where it exists.
 */
#include "fw-fixture.h"

enum {
	V01 = 0x00000001,
	V02 = 0x00000002,
	V03 = 0x00000003,
	V10 = 0x01000000,
	V20 = 0x02000000,
	V30 = 0x03000000,
};
static const uint32_t versions[] = { V01, V02, V03, V10, V20, V30 };

#define F(eid, fid, since, ...)                                                \
	{                                                                      \
		eid, fid, since,                                               \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

static const struct function {
	uint32_t eid, fid, since;
	uint64_t args[4];
} functions[] = {
	F(0, 0, V01, 1),
	F(1, 0, V01, 'x'),
	F(2, 0, V01, 0),
	F(3, 0, V01, 0),
	F(4, 0, V01, 0),
	F(5, 0, V01, 0),
	F(6, 0, V01, 0),
	F(7, 0, V01, 0),
	F(8, 0, V01, 0),
	F(BASE_EID, 0, V02, 0),
	F(BASE_EID, 1, V02, 0),
	F(BASE_EID, 2, V02, 0),
	F(BASE_EID, 3, V02, 0),
	F(BASE_EID, 4, V02, 0),
	F(BASE_EID, 5, V02, 0),
	F(BASE_EID, 6, V02, 0),
	F(TIME_EID, 0, V02, 1),
	F(IPI_EID, 0, V02, 1),
	F(RFENCE_EID, 0, V02, 1),
	F(RFENCE_EID, 1, V02, 1),
	F(RFENCE_EID, 2, V02, 1),
	F(RFENCE_EID, 3, V02, 1),
	F(RFENCE_EID, 4, V02, 1),
	F(RFENCE_EID, 5, V02, 1),
	F(RFENCE_EID, 6, V02, 1),
	F(HSM_EID, 0, V02, 77),
	F(HSM_EID, 1, V02, 0),
	F(HSM_EID, 2, V02, 0),
	F(HSM_EID, 3, V03, 1),
	F(SRST_EID, 0, V03, 9),
	F(DBCN_EID, 0, V20, 0),
	F(DBCN_EID, 1, V20, 0),
	F(DBCN_EID, 2, V20, 'x'),
	F(SUSP_EID, 0, V20, 1),
	F(FWFT_EID, 0, V30, 0, 1),
	F(FWFT_EID, 1, V30, 0),
	F(SSE_EID, 0, V30, 0xffff0000),
	F(SSE_EID, 1, V30, 0xffff0000),
	F(SSE_EID, 2, V30, 0xffff0000, 1),
	F(SSE_EID, 3, V30, 0xffff0000),
	F(SSE_EID, 4, V30, 0xffff0000),
	F(SSE_EID, 5, V30, 0xffff0000),
	F(SSE_EID, 6, V30, 0),
	F(SSE_EID, 7, V30, 0xffff0000, 77),
	F(SSE_EID, 8, V30, 0),
	F(SSE_EID, 9, V30, 0),
	F(PMU_EID, NUM, V03, 0),
	F(PMU_EID, INFO, V03, 0),
	F(PMU_EID, CFG, V03, 0),
	F(PMU_EID, START, V03, 0),
	F(PMU_EID, STOP, V03, 0),
	F(PMU_EID, READ, V03, 0),
	F(PMU_EID, READ_HI, V20, 0),
	F(PMU_EID, SHMEM, V20, 1),
	F(PMU_EID, EVENTS, V30, 1),
	F(EBB_EID, 0, V20, 0, 0),
	F(EBB_EID, 1, V20, 0, 0),
	F(EBB_EID, 2, V20, 0),
};
enum {
	N_FUNCTIONS = ARRAY_SIZE(functions),
	N_VERSIONS = ARRAY_SIZE(versions)
};

/* Does a call of it do or answer anything? */
static bool there(struct bench *b, const struct function *f)
{
	uint64_t args[8] = { f->args[0], f->args[1],   f->args[2],
			     f->args[3], [6] = f->fid, [7] = f->eid };
	struct sbi_ret ret = { 0 };

	return fw_sbi_call(b->fw, 0, b->now, args, &ret) == FW_GONE ||
	       ret.error != SBI_ERR_NOT_SUPPORTED;
}

/* The version of the oldest function of its extension. */
static uint32_t extension_since(const struct function *f)
{
	uint32_t since = f->since;

	for (unsigned i = 0; i < N_FUNCTIONS; i++)
		if (functions[i].eid == f->eid && functions[i].since < since)
			since = functions[i].since;
	return since;
}

TEST_TIMES(a_function_is_there_from_its_version_on,
	   2 * N_FUNCTIONS * N_VERSIONS)
{
	const struct function *f = &functions[_i / N_VERSIONS / 2];
	const uint32_t version = versions[_i / 2 % N_VERSIONS];
	struct opts o = { .version = version,
			  .with = PMU_EXT_H | PMU_EXT_XPMUEBB,
			  .profile = _i & 1 };
	/* our own extension is no part of what OpenSBI has */
	const bool known = f->eid != EBB_EID || !o.profile;
	struct bench b;

	shows(RULE("C199"));
	bench_init(&b, &o);
	if (version >= V02)
		ck_assert_uint_eq(CALL(&b, BASE_EID, 3, f->eid).value,
				  known && version >= extension_since(f));
	ck_assert_msg(there(&b, f) == (known && version >= f->since),
		      "EID 0x%x FID %u of version 0x%x", f->eid, f->fid,
		      version);
	bench_fini(&b);
}

SUITE("sbi-versions");
