/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A branch predictor: which way a branch goes, and where an indirect jump does.
 * Its memory is its owner's, as that of assoc.h.
 */
#ifndef LIBPMU_UARCH_PREDICTOR_H
#define LIBPMU_UARCH_PREDICTOR_H

#include <pmu/uarch.h>

struct predictor {
	struct pmu_predictor_config cfg;
	uint64_t *words;
};

size_t predictor_words(const struct predictor *p);
/*
 * Was @insn of @space, which is a branch or a jump, predicted as it went?
 * Learns it.
 */
bool predictor_see(struct predictor *p, const struct pmu_uarch_insn *insn,
		   const struct pmu_space *space);

#endif
