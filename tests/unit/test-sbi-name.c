/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of names: what the firmware can be asked, all of it and no more. */
#include <string.h>

#include <fw/sbi-error.h>

#include "sbi/sbi-extension.h"
#include "unit.h"

/* Which parameter of @call has 64 bits, from 1 on; 0: none. */
static unsigned wide_param(const struct sbi_name *call)
{
	const char *mark = strchr(call->params, ':');
	unsigned n = 1;

	for (const char *at = call->params; mark && at < mark; at++)
		n += *at == ' ';
	return mark ? n : 0;
}

static const struct sbi_ext *const sbi_extensions[] = {
	&sbi_ext_base,	 &sbi_ext_time, &sbi_ext_ipi,  &sbi_ext_rfence,
	&sbi_ext_hsm,	 &sbi_ext_srst, &sbi_ext_dbcn, &sbi_ext_susp,
	&sbi_ext_fwft,	 &sbi_ext_sse,	&sbi_ext_pmu,  &sbi_ext_ebb,
	&sbi_ext_legacy,
};

TEST_ROWS(a_function_has_a_name_and_the_pair_that_its_parameters_tell,
	  sbi_extensions)
{
	const struct sbi_ext *e = sbi_extensions[_i];

	for (unsigned n = 0; n < e->n; n++) {
		const struct sbi_name *call =
			e->legacy ? sbi_name_find(e->eid + n, 77)
				  : sbi_name_find(e->eid, n);

		ck_assert_msg(call && e->funcs[n].fn, "%#x %u", e->eid, n);
		ck_assert_msg(e->funcs[n].wide == wide_param(call), "%s",
			      call->name);
	}
	ck_assert_ptr_null(sbi_name_find(e->legacy ? e->n : e->eid, e->n));
	ck_assert_ptr_nonnull(sbi_extension_name(e->eid));
}

TEST(calls_and_errors_have_names)
{
	ck_assert_str_eq(sbi_call_name(SBI_EID_PMU, 3), "PMU.counter_start");
	ck_assert_str_eq(sbi_call_name(SBI_EID_RFENCE, 6),
			 "RFENCE.remote_hfence_vvma");
	ck_assert_str_eq(sbi_call_name(8, 1234), "LEGACY.shutdown");
	ck_assert_ptr_null(sbi_call_name(9, 0));
	ck_assert_ptr_null(sbi_call_name(SBI_EID_PMU, 9));
	ck_assert_ptr_null(sbi_call_name(SBI_EID_PMU | UINT64_C(1) << 32, 0));
	ck_assert_str_eq(sbi_error_name(0), "SUCCESS");
	ck_assert_str_eq(sbi_error_name(SBI_ERR_ALREADY_STOPPED),
			 "ALREADY_STOPPED");
	ck_assert_str_eq(sbi_error_name(-14), "DENIED_LOCKED");
	ck_assert_ptr_null(sbi_error_name(-15));
	ck_assert_ptr_null(sbi_error_name(1));
}

SUITE("sbi-name");
