/* SPDX-License-Identifier: BSD-2-Clause */
/* What is told of the mappings of TASK's process, as lines. */
#ifndef TESTS_UNIT_MAPPINGS_TOLD_H
#define TESTS_UNIT_MAPPINGS_TOLD_H

#include <stddef.h>
#include <stdint.h>

#include "control/mappings.h"

extern struct mapping_question mappings_asked; /* its pid and session stay */
extern char mappings_text[4096];	       /* of the last answer */

void mappings_setup(void);
/* "START-END+OFFSET FILE BYTES\n" of each. */
const char *mappings_told_of(const uint64_t *pc, size_t n);
const char *mappings_told(uint64_t pc);

#endif
