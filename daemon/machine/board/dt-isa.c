/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a hart's extensions are named in a device tree: as in an ISA string, and
 * as a list of the same names.
 */
#include "dt.h"

#include <string.h>

#include "settings/isa-string.h"

_Static_assert((int)DT_MAX_ISA == (int)ISA_TEXT, "the strings' room");

void dt_isa_string(const struct pmu_hart_config *hart, char *buf)
{
	isa_print(hart->xlen, hart->ext, buf);
}

size_t dt_isa_list(const struct pmu_hart_config *hart, char *buf)
{
	struct isa_name names[ISA_NAMES];
	size_t n = isa_names(names), len = 0;

	for (size_t i = 0; i < n; i++) {
		size_t size = strlen(names[i].name) + 1;

		if (!isa_has(hart->ext, &names[i]))
			continue;
		memcpy(buf + len, names[i].name, size);
		len += size;
	}
	return len;
}
