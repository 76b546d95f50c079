/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The test finisher: decodes the register at offset 0. What ending means is
 * the board's and the machine's business.
 */
#include "dev-finisher.h"

bool finisher_access(void *dev, struct bus_access *access)
{
	struct finisher *f = dev;
	uint16_t status = (uint16_t)access->value;

	if (access->size == 1)
		return false;
	if (!access->write) {
		access->value = 0;
		return true;
	}
	if (access->offset)
		return true;
	if (status == FINISHER_PASS || status == FINISHER_FAIL ||
	    status == FINISHER_RESET)
		f->finish(f->host, status,
			  access->size == 2 ? 0
					    : (uint16_t)(access->value >> 16));
	return true;
}
