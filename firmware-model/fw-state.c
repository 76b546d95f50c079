/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A firmware's state, given and taken: what each folder remembers, piece by
 * piece. All else follows from the configuration.
 */
#include <fw/fw.h>

#include <string.h>

#include "counters/fw-counters.h"
#include "sbi/sbi-call.h"
#include "sse/sse-event.h"

/* Begins the state: of which harts it is. */
struct given_harts {
	unsigned n_harts;
	uint32_t hartid[PMU_MAX_HARTS];
};

static struct fw_piece (*const of_hart[])(const struct fw *fw,
					  unsigned hart) = {
	sbi_hart_state,
	counters_state,
};
enum {
	N_OF_HART = sizeof(of_hart) / sizeof(of_hart[0])
};

static unsigned n_pieces(const struct fw *fw)
{
	return 1 + fw->n_harts * N_OF_HART;
}

static struct fw_piece piece(const struct fw *fw, unsigned i)
{
	if (i == 0)
		return sse_state(fw);
	i--;
	return of_hart[i % N_OF_HART](fw, i / N_OF_HART);
}

static void describe(const struct fw *fw, struct given_harts *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->n_harts = fw->n_harts;
	for (unsigned i = 0; i < fw->n_harts; i++)
		ret->hartid[i] = fw_hartid(&fw->hart[i]);
}

size_t fw_state_size(const struct fw *fw)
{
	size_t size = sizeof(struct given_harts);

	for (unsigned i = 0; i < n_pieces(fw); i++)
		size += piece(fw, i).size;
	return size;
}

void fw_give(const struct fw *fw, void *ret_state)
{
	char *ret = ret_state;
	struct given_harts g;

	describe(fw, &g);
	memcpy(ret, &g, sizeof(g));
	ret += sizeof(g);
	for (unsigned i = 0; i < n_pieces(fw); i++) {
		struct fw_piece p = piece(fw, i);

		memcpy(ret, p.at, p.size);
		ret += p.size;
	}
}

int fw_take(struct fw *fw, const void *state)
{
	const char *from = state;
	struct given_harts g;

	describe(fw, &g);
	if (memcmp(from, &g, sizeof(g)))
		return -FW_EINVAL;
	from += sizeof(g);
	for (unsigned i = 0; i < n_pieces(fw); i++) {
		struct fw_piece p = piece(fw, i);

		memcpy(p.at, from, p.size);
		from += p.size;
	}
	return 0;
}
