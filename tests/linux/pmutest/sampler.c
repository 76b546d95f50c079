/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An event that samples, with its ring: made, ended, and looked at. Of users'
 * events there is exactly one sample for each period.
 */
#include "pmutest.h"

#include <unistd.h>

struct sampler sampler_new(struct ask ask, uint64_t period)
{
	struct sampler sampler = { .period = period };

	ask.period = period;
	sampler.fd = event_open(&ask);
	sampler.ring = ring_map(sampler.fd);
	return sampler;
}

void sampler_end(struct sampler *sampler)
{
	ring_unmap(&sampler->ring);
	close(sampler->fd);
}

void sampler_has(const struct sampler *sampler, uint64_t n)
{
	struct samples found = ring_samples(&sampler->ring, 0, UINTPTR_MAX);
	uint64_t counted = event_times(sampler->fd).value;

	note_samples(sampler->period, counted, found.n);
	same(found.lost, 0);
	same(found.throttled, 0);
	same(found.n, n);
	same(found.periods, n * sampler->period);
}

uint64_t sampler_exact(const struct sampler *sampler)
{
	uint64_t n = event_read(sampler->fd) / sampler->period;

	sampler_has(sampler, n);
	return n;
}
