/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user's terminal as a guest's console: raw, so that every key goes to the
 * guest but Ctrl-A x, which leaves. It is restored however pmuctl ends.
 */
#ifndef CLI_TEXT_TERMINAL_H
#define CLI_TEXT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes @fd raw if it is a terminal; does nothing otherwise. */
void terminal_raw(int fd);
/* Back to how it was. May be called at any time and from a signal handler. */
void terminal_restore(void);

/* What was typed so far of the way out. */
struct terminal_keys {
	bool prefix; /* Ctrl-A was the last key */
};

enum {
	TERMINAL_CHUNK = 4096 /* typed bytes at once, at most */
};

struct terminal_input {
	uint8_t bytes[TERMINAL_CHUNK + 1];
	size_t n;
};

/*
 * What of @n typed bytes (at most TERMINAL_CHUNK) is for the guest. Ctrl-A x
 * leaves: true, and what follows is dropped. Ctrl-A Ctrl-A is one Ctrl-A, and
 * Ctrl-A before any other key is nothing special.
 */
bool terminal_filter(struct terminal_keys *k, const uint8_t *in, size_t n,
		     struct terminal_input *ret);

#endif
