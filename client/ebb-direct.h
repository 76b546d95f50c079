/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The client's side of a session's rings: what the machine says comes, and what
 * the client wishes goes, without pmud.
 */
#ifndef CLIENT_EBB_DIRECT_H
#define CLIENT_EBB_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/ebb-ring.h"
#include "shared/ring.h"

struct ebb_direct {
	struct ring said, wishes;
	int wake;  /* -1: there are no rings */
	int stop;  /* -1, or an eventfd that ends the waiting */
	bool gone; /* the machine */
};

/* No rings. */
struct ebb_direct ebb_direct_none(void);
/* Gets them for a ticket. Returns 0 or a negated errno. */
int ebb_direct_open(struct ebb_direct *d, const char *socket,
		    const uint8_t ticket[EBB_TICKET]);
void ebb_direct_close(struct ebb_direct *d);

/*
 * The next entry: 1; 0 when none came for @timeout_ms (-1: no limit), and the
 * descriptor then is ready when one comes; -ECONNRESET behind the last one of a
 * machine that is gone; -EPROTO: it is no machine; -ECANCELED: d->stop was
 * written to.
 */
int ebb_direct_next(struct ebb_direct *d, int timeout_ms, struct ebb_said *ret);
/* False: there is one already. Else the descriptor is ready when one comes. */
bool ebb_direct_arm(struct ebb_direct *d);
/*
 * All of them, at once. Waits for room. Returns 0, or as above; more than the
 * ring has never fit.
 */
int ebb_direct_wish(struct ebb_direct *d, const struct ebb_wish *wishes,
		    size_t n);

#endif
