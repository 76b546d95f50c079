/* SPDX-License-Identifier: BSD-2-Clause */
/* The attributes of a group of events, after the rules of Linux on Power. */
#ifndef CLIENT_EBB_ATTRS_H
#define CLIENT_EBB_ATTRS_H

#include <stddef.h>

#include <pmuclient/ebb-client.h>

enum {
	EBB_MAX_EVENTS = 29
};

/*
 * Copies @n of them, none beyond EBB_MAX_EVENTS, to @ret, what they do not have
 * 0. Returns 0, or -PMUCLIENT_EINVAL, and the client's error says which is
 * wrong, and why.
 */
int ebb_attrs_take(struct pmuclient *c,
		   const struct pmuclient_ebb_attr *const *attrs, size_t n,
		   struct pmuclient_ebb_attr *ret);

#endif
