/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Descriptors for clients, which cannot come over HTTP/2: a call answers with a
 * ticket, whoever is the same user sends it to a second socket, once, and gets
 * them there.
 */
#ifndef SERVER_TICKETS_H
#define SERVER_TICKETS_H

#include <stdint.h>
#include <sys/types.h>

#include <ev.h>

#include "quota.h"
#include "shared/ebb-ring.h"

struct tickets;

/*
 * Listens beside @socket, that of the calls: "pmud.fd.sock" for "pmud.sock".
 * What is at that path is replaced, for who serves @socket is the only one to
 * serve it. Connections count as their user's. Returns 0 or a negated errno.
 */
int tickets_new(struct tickets **ret, struct ev_loop *loop, struct quota *quota,
		const char *socket);
void tickets_free(struct tickets *all); /* NULL is fine */
/* Where tickets are taken. */
const char *tickets_path(const struct tickets *all);

/*
 * One for @uid, to whom the descriptors then go; they are taken over in any
 * case. Returns 0 or a negated errno.
 */
int tickets_issue(struct tickets *all, uid_t uid, struct ebb_channel *channel,
		  uint8_t ret[EBB_TICKET]);
/* Nobody can use it any more. Harmless when it was used. */
void tickets_revoke(struct tickets *all, const uint8_t ticket[EBB_TICKET]);

#endif
