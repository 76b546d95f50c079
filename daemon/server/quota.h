/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who has how much of what pmud can give: machines, their memory, stored bytes,
 * connections, requests that wait for machines. Two limits for each: of one
 * user, and of all together. The last quarter of the total is kept for users
 * who have nothing yet: it is given in small shares only, so that a few users
 * with all they may have never lock the others out. Nothing here knows what is
 * counted.
 */
#ifndef SERVER_QUOTA_H
#define SERVER_QUOTA_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum quota_kind {
	QUOTA_MACHINES,
	QUOTA_MEMORY,
	QUOTA_STORE,
	QUOTA_CONNECTIONS,
	QUOTA_REQUESTS, /* bytes that machines have not read; no option */
	N_QUOTAS
};

enum {
	QUOTA_WHY = 256 /* bytes of a refusal's text */
};

#define QUOTA_NONE UINT64_MAX /* a limit that is none */

struct quota_limit {
	uint64_t total, per_user;
	/* the least that is of use to somebody who has nothing */
	uint64_t least;
};

struct quota;

/* Returns 0 or a negated errno. */
int quota_new(struct quota **ret, const struct quota_limit limits[N_QUOTAS]);
void quota_free(struct quota *q); /* NULL is fine */

/*
 * Gives @uid @n more of @kind. False: nothing was given, and @ret_why says why
 * not and by which option of pmud's, for people.
 */
bool quota_take(struct quota *q, enum quota_kind kind, uid_t uid, uint64_t n,
		char ret_why[QUOTA_WHY]);
/*
 * @uid has @n of it from elsewhere, whatever the limits are. False: there is no
 * memory, and nothing is counted.
 */
bool quota_count(struct quota *q, enum quota_kind kind, uid_t uid, uint64_t n);
/* @uid has @n less of it; it had as much. */
void quota_give(struct quota *q, enum quota_kind kind, uid_t uid, uint64_t n);
/* What @uid has of it: for those who look whether all was given back. */
uint64_t quota_held(const struct quota *q, enum quota_kind kind, uid_t uid);

#endif
