/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a hart's extensions are named in a device tree: which names, and their
 * order. The order is that of the ISA manual's naming chapter: single letters
 * in canonical order, then Z extensions by their second letter's canonical
 * place and by alphabet, then the supervisor's (Ss, Sv), then the machine's.
 */
#include "dt.h"

#include <stdio.h>
#include <string.h>

enum {
	ALWAYS = 0
};

static const struct isa_row {
	uint32_t ext; /* enum pmu_ext, or ALWAYS */
	const char *name;
} isa_rows[] = {
	{ ALWAYS, "i" },
	{ PMU_EXT_M, "m" },
	{ PMU_EXT_A, "a" },
	{ PMU_EXT_F, "f" },
	{ PMU_EXT_D, "d" },
	{ PMU_EXT_C, "c" },
	{ PMU_EXT_ZICNTR, "zicntr" },
	{ ALWAYS, "zicsr" },
	{ ALWAYS, "zifencei" },
	{ PMU_EXT_ZIHPM, "zihpm" },
	{ PMU_EXT_SSCOFPMF, "sscofpmf" },
	{ PMU_EXT_SSTC, "sstc" },
	{ PMU_EXT_SVADE, "svade" },
	{ PMU_EXT_SVADU, "svadu" },
	{ PMU_EXT_SMCNTRPMF, "smcntrpmf" },
};

enum {
	N_ROWS = sizeof(isa_rows) / sizeof(isa_rows[0])
};

static bool has(const struct pmu_hart_config *hart, const struct isa_row *row)
{
	return row->ext == ALWAYS || hart->ext & row->ext;
}

void dt_isa_string(const struct pmu_hart_config *hart, char *buf)
{
	int len = snprintf(buf, DT_MAX_ISA, "rv%u", hart->xlen);

	for (size_t i = 0; i < N_ROWS; i++)
		if (has(hart, &isa_rows[i]))
			len += snprintf(buf + len, DT_MAX_ISA - (size_t)len,
					"%s%s", isa_rows[i].name[1] ? "_" : "",
					isa_rows[i].name);
}

size_t dt_isa_list(const struct pmu_hart_config *hart, char *buf)
{
	size_t len = 0;

	for (size_t i = 0; i < N_ROWS; i++) {
		size_t n = strlen(isa_rows[i].name) + 1;

		if (!has(hart, &isa_rows[i]))
			continue;
		memcpy(buf + len, isa_rows[i].name, n);
		len += n;
	}
	return len;
}

bool dt_isa_fits(const struct pmu_hart_config *hart, const char *name,
		 size_t len)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (strlen(isa_rows[i].name) == len &&
		    !memcmp(isa_rows[i].name, name, len))
			return has(hart, &isa_rows[i]);
	return true;
}
