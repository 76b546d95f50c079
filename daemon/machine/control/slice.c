/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The work of the next slice. One that took too long is halved, one that was
 * over in less than half of the time, though used up, is doubled.
 */
#include "slice.h"

uint64_t slice_next(uint64_t work, const struct slice_took *took)
{
	uint64_t ns = took->end - took->begin;

	if (ns > took->want)
		work /= 2;
	else if (took->all && ns < took->want / 2)
		work *= 2;
	if (work < took->least)
		return took->least;
	return work > SLICE_MAX ? SLICE_MAX : work;
}
