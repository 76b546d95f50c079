/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every function of SBI in every version of it: from the version that brought
 * it on it is there, before that it is NOT_SUPPORTED and its extension, when
 * none of its functions is older, is not found. Each is called with arguments
 * that it answers by something else than NOT_SUPPORTED where it exists. What
 * a version added to older functions, flags and events, is not there before it.
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

/* What a call of an old function with something newer says. */
static const struct added {
	const char *why;
	uint32_t fid;
	uint64_t args[5];
	uint32_t since;
	int64_t spec_before, opensbi_before, then;
} added[] = {
	{ "start: its initial value", START, { 3, 1, INIT, 9 }, V03, 0, 0, 0 },
	{ "start: a snapshot's", START, { 3, 1, INIT_SNAP }, V20, -3, 0, -9 },
	{ "stop: a reset", STOP, { 4, 1, RESET }, V03, 0, 0, 0 },
	{ "stop: a snapshot", STOP, { 4, 1, SNAP }, V20, -3, 0, -9 },
	{ "stop: both", STOP, { 4, 1, RESET | SNAP }, V20, -3, 0, -9 },
	{ "config: all flags",
	  CFG,
	  { 5, 1, CLEAR | AUTO | VUINH | VSINH | UINH | SINH | MINH, 2 },
	  V03,
	  0,
	  0,
	  5 },
	{ "config: a raw event", CFG, { 5, 1, 0, 0x20000, 2 }, V03, -2, -3, 5 },
	{ "config: version 2", CFG, { 5, 1, 0, 0x30000, 2 }, V30, -2, -3, 5 },
	{ "skip: version 2", CFG, { 3, 1, SKIP, 0x30000, 2 }, V30, -2, -3, 3 },
	{ "config: SBI's event", CFG, { 32, 1, 0, 0xf0015 }, V03, -2, -3, 32 },
};
enum {
	N_ADDED = ARRAY_SIZE(added)
};

/* Does the version have the extension at all? */
static bool has_pmu(uint32_t version)
{
	return version >= V03;
}

TEST_TIMES(a_flag_and_an_event_are_there_from_their_version_on,
	   2 * N_ADDED * N_VERSIONS)
{
	const struct added *row = &added[_i / N_VERSIONS / 2];
	const uint32_t version = versions[_i / 2 % N_VERSIONS];
	struct opts o = { .version = version, .profile = _i & 1 };
	uint64_t args[6] = { 0 };
	int64_t want = _i & 1 ? row->opensbi_before : row->spec_before;
	struct sbi_ret ret;
	struct bench b;

	shows(RULE("C199"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, 0, 2);
	PMU(&b, CFG, 4, 1, AUTO, 2);
	memcpy(args, row->args, sizeof(row->args));
	ret = bench_call(&b, 0, PMU_EID, row->fid, args);
	if (!has_pmu(version))
		want = -2;
	else if (version >= row->since)
		want = row->then;
	ck_assert_msg((ret.error ? ret.error : (int64_t)ret.value) == want,
		      "%s in version 0x%x, %s: %d", row->why, version,
		      _i & 1 ? "opensbi" : "spec", (int)ret.error);
	bench_fini(&b);
}

/* Codes from 256 on are the implementation's since 2.0, reserved before. */
TEST_TIMES(our_own_events_are_there_from_2_0_on, 5 * N_VERSIONS)
{
	const uint32_t version = versions[_i / 5];
	struct opts o = { .version = version };
	const uint64_t event = 0xf0100u + (unsigned)(_i % 5);
	struct bench b;

	shows(RULE("C199"));
	bench_init(&b, &o);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 32, 1, 0, event),
			 version >= V20 ? 0 : -2);
	bench_fini(&b);
}

SUITE("sbi-versions");
