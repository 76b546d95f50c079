/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SBI calls as operations of the tables. The only place that splits an
 * argument into the register pairs of RV32.
 */
#include "conf.h"

static struct answer answer(struct sbi_ret r)
{
	return (struct answer){ r.error, r.value };
}

static struct answer pmu(long fid, const uint64_t *a, unsigned n)
{
	unsigned long r[6] = { 0 };

	for (unsigned i = 0; i < n; i++)
		r[i] = (unsigned long)a[i];
	return answer(
		sbi_call(SBI_PMU, fid, r[0], r[1], r[2], r[3], r[4], r[5]));
}

struct answer num_counters(const uint64_t *a)
{
	return pmu(0, a, 0);
}

struct answer get_info(const uint64_t *a)
{
	return pmu(1, a, 1);
}

struct answer config(const uint64_t *a)
{
	const uint64_t r[6] = { a[0], a[1], a[2], a[3], a[4], a[4] >> 32 };

	return pmu(2, r, RV64 ? 5 : 6);
}

struct answer start(const uint64_t *a)
{
	const uint64_t r[5] = { a[0], a[1], a[2], a[3], a[3] >> 32 };

	return pmu(3, r, RV64 ? 4 : 5);
}

struct answer stop(const uint64_t *a)
{
	return pmu(4, a, 3);
}

struct answer fw_read(const uint64_t *a)
{
	return pmu(5, a, 1);
}

struct answer fw_read_hi(const uint64_t *a)
{
	return pmu(6, a, 1);
}

struct answer set_shmem(const uint64_t *a)
{
	return pmu(7, a, 3);
}

struct answer event_info(const uint64_t *a)
{
	return pmu(8, a, 4);
}

struct answer base_call(const uint64_t *a)
{
	return answer(sbi_call(SBI_BASE, (long)a[0], (unsigned long)a[1], 0, 0,
			       0, 0, 0));
}

struct answer any_call(const uint64_t *a)
{
	return answer(sbi_call((long)a[0], (long)a[1], (unsigned long)a[2],
			       (unsigned long)a[3], (unsigned long)a[4],
			       (unsigned long)a[5], 0, 0));
}

struct answer set_timer(const uint64_t *a)
{
	unsigned long hi = RV64 ? 0 : (unsigned long)(a[0] >> 32);

	return answer(
		sbi_call(SBI_TIME, 0, (unsigned long)a[0], hi, 0, 0, 0, 0));
}

struct answer send_ipi(const uint64_t *a)
{
	return answer(sbi_call(SBI_IPI, 0, (unsigned long)a[0],
			       (unsigned long)a[1], 0, 0, 0, 0));
}

struct answer rfence(const uint64_t *a)
{
	return answer(sbi_call(SBI_RFENCE, (long)a[0], (unsigned long)a[1],
			       (unsigned long)a[2], 0, 4096,
			       (unsigned long)a[3], 0));
}

struct answer hart_start(const uint64_t *a)
{
	return answer(sbi_call(SBI_HSM, 0, (unsigned long)a[0],
			       (unsigned long)a[1], (unsigned long)a[2], 0, 0,
			       0));
}

struct answer hart_status(const uint64_t *a)
{
	return answer(sbi_call(SBI_HSM, 2, (unsigned long)a[0], 0, 0, 0, 0, 0));
}

static void release(unsigned n)
{
	sbi_call(SBI_PMU, 4, n, 1, RESET, 0, 0, 0);
}

struct answer fresh(const uint64_t *a)
{
	(void)a;
	sbi_call(SBI_PMU, 7, ALL, ALL, 0, 0, 0, 0);
	for (unsigned i = 0; i < mach.n; i++)
		if (mach.valid >> i & 1)
			release(i);
	sbi_call(SBI_PMU, 3, 0, 1, 0, 0, 0, 0);
	sbi_call(SBI_PMU, 3, 2, 1, 0, 0, 0, 0);
	return clear_lcofi(a);
}
