/* SPDX-License-Identifier: BSD-2-Clause */
/* What is told of mappings, as lines: see mappings-told.h. */
#include "mappings-told.h"

#include <inttypes.h>
#include <stdio.h>

#include "tasks-image.h"

struct mapping_question mappings_asked;
char mappings_text[4096];

void mappings_setup(void)
{
	mappings_asked = (struct mapping_question){ .pid = 7 };
}

const char *mappings_told_of(const uint64_t *pc, size_t n)
{
	struct mapping found[MAPPINGS_AT_ONCE];
	size_t len = 0;

	mappings_asked.task = tasks_isa->kernel + TASK;
	mappings_asked.pc = pc;
	mappings_asked.n = n;
	n = mappings_find(&tasks.trace.mappings, &mappings_asked, found);
	mappings_asked.pc = NULL;
	mappings_asked.n = 0;
	mappings_text[0] = '\0';
	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(
			mappings_text + len, sizeof(mappings_text) - len,
			"%" PRIx64 "-%" PRIx64 "+%" PRIx64 " %s %" PRIu64 "\n",
			found[i].start, found[i].end, found[i].offset,
			found[i].file, found[i].bytes);
	return mappings_text;
}

const char *mappings_told(uint64_t pc)
{
	return mappings_told_of(&pc, 1);
}
