/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest's ELF file as a test needs it: its bytes and what it says must be
 * counted (the absolute symbols expect.* of tests/guests/bare.inc).
 */
#ifndef TESTS_GUEST_IMAGE_H
#define TESTS_GUEST_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine-fixture.h"

enum {
	GUEST_MAX_EXPECTED = 64,
	GUEST_SETTINGS = 320,
};

struct guest_expected {
	char name[64]; /* "M.instructions" */
	uint64_t value;
};

struct guest {
	const char *path;
	char name[64]; /* "loop-rv64" */
	bool rv32;
	uint8_t *bytes;
	size_t size;
	unsigned n_expected;
	struct guest_expected expected[GUEST_MAX_EXPECTED];
};

/*
 * The guests of a program's arguments: all, and in builds that look for errors
 * of memory one of $PMU_ONE_GUEST_OF, for those differ in what the host does.
 * Returns how many.
 */
int guest_paths(int argc, char **argv, char ***ret);
/* Aborts the test when the file cannot be read. */
void guest_read(struct guest *g, const char *path);
void guest_free(struct guest *g);
/* False: the guest says nothing of this. */
bool guest_expects(const struct guest *g, const char *name, uint64_t *ret);
/*
 * A machine that runs it with @settings and what it needs by its own account;
 * @text is the whole of them.
 */
void guest_configure(const struct guest *g, const char *settings,
		     char text[GUEST_SETTINGS], struct fixture_config *ret);
/* Something to read: it waits in the queue of inputs, stamped. */
void guest_type(struct fixture *f);
/* Settings for the extensions that it needs, " NAME=on" each; @text. */
const char *guest_switches(const struct guest *g, char *text, size_t size);
/* Is it the guest of this name, for either ISA? */
bool guest_is(const struct guest *g, const char *name);

#endif
