/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accounts by user and kind. A user without anything has no account, so that
 * there are never more of them than things given away.
 */
#include "quota.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

enum {
	KEPT = 4,    /* one part in so many is for users without anything */
	SHARES = 64, /* one part in so many is what each of them gets of it */
};

struct account {
	SLIST_ENTRY(account) next;
	uid_t uid;
	uint64_t has[N_QUOTAS];
};

struct quota {
	struct quota_limit limits[N_QUOTAS];
	uint64_t all[N_QUOTAS];
	SLIST_HEAD(, account) accounts;
};

/* How each kind is spoken of; the options are pmud-config.c's. */
static const struct quota_words {
	const char *things, *option; /* NULL: there is none */
	bool bytes;
} kinds[N_QUOTAS] = {
	[QUOTA_MACHINES] = { "machine", "--machines", false },
	[QUOTA_MEMORY] = { "of machines' memory", "--memory", true },
	[QUOTA_STORE] = { "of stored traces", "--store", true },
	[QUOTA_CONNECTIONS] = { "connection", "--connections", false },
	[QUOTA_REQUESTS] = { "of waiting requests", NULL, true },
};

int quota_new(struct quota **ret, const struct quota_limit limits[N_QUOTAS])
{
	struct quota *q = calloc(1, sizeof(*q));

	if (!q)
		return -ENOMEM;
	memcpy(q->limits, limits, sizeof(q->limits));
	*ret = q;
	return 0;
}

void quota_free(struct quota *q)
{
	if (!q)
		return;
	while (!SLIST_EMPTY(&q->accounts)) {
		struct account *a = SLIST_FIRST(&q->accounts);

		SLIST_REMOVE_HEAD(&q->accounts, next);
		free(a);
	}
	free(q);
}

static struct account *find(const struct quota *q, uid_t uid)
{
	struct account *a;

	SLIST_FOREACH(a, &q->accounts, next)
		if (a->uid == uid)
			return a;
	return NULL;
}

uint64_t quota_held(const struct quota *q, enum quota_kind kind, uid_t uid)
{
	const struct account *a = find(q, uid);

	return a ? a->has[kind] : 0;
}

static uint64_t kept(const struct quota_limit *l)
{
	return l->total == QUOTA_NONE ? 0 : l->total / KEPT;
}

/* What a user gets of the part that is kept, having nothing else. */
static uint64_t share_of(const struct quota_limit *l)
{
	uint64_t share = l->total / SHARES;

	if (share < l->least)
		share = l->least;
	return share < kept(l) ? share : kept(l);
}

/* "3 machines", "1.5 GiB of machines' memory" */
static const char *amount(enum quota_kind kind, uint64_t n, char buf[64])
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
	double size = (double)n / 1024;
	size_t unit = 0;

	while (size >= 1024 && unit < 3) {
		size /= 1024;
		unit++;
	}
	if (kinds[kind].bytes)
		snprintf(buf, 64, "%.4g %s %s", size, units[unit],
			 kinds[kind].things);
	else
		snprintf(buf, 64, "%" PRIu64 " %s%s", n, kinds[kind].things,
			 n == 1 ? "" : "s");
	return buf;
}

/* By which option it would be more: " (pmud --memory-per-user)", or "". */
static const char *by_option(enum quota_kind kind, const char *suffix,
			     char buf[64])
{
	const char *option = kinds[kind].option;

	*buf = '\0';
	if (option)
		snprintf(buf, 64, " (pmud %s%s)", option, suffix);
	return buf;
}

/* Is there no room for @n beside what is taken of @limit? */
static bool over(uint64_t limit, uint64_t taken, uint64_t n)
{
	return taken > limit || n > limit - taken;
}

/* May somebody who has @own get @n more? @ret_why is written if not. */
static bool judge(const struct quota *q, enum quota_kind kind, uint64_t own,
		  uint64_t n, char *ret_why)
{
	const struct quota_limit *l = &q->limits[kind];
	char has[64], limit[64], option[64];

	if (over(l->per_user, own, n)) {
		snprintf(ret_why, QUOTA_WHY,
			 "you have %s, and one user may have %s%s",
			 amount(kind, own, has),
			 amount(kind, l->per_user, limit),
			 by_option(kind, "-per-user", option));
		return false;
	}
	if (over(l->total, q->all[kind], n)) {
		snprintf(ret_why, QUOTA_WHY,
			 "this pmud has given away %s of %s%s",
			 amount(kind, q->all[kind], has),
			 amount(kind, l->total, limit),
			 by_option(kind, "", option));
		return false;
	}
	if (over(l->total - kept(l), q->all[kind], n) &&
	    over(share_of(l), own, n)) {
		snprintf(ret_why, QUOTA_WHY,
			 "you have %s, and what is left is kept for users who "
			 "have none, %s for each%s",
			 amount(kind, own, has),
			 amount(kind, share_of(l), limit),
			 by_option(kind, "", option));
		return false;
	}
	return true;
}

bool quota_count(struct quota *q, enum quota_kind kind, uid_t uid, uint64_t n)
{
	struct account *a = find(q, uid);

	if (!n)
		return true;
	if (!a) {
		a = calloc(1, sizeof(*a));
		if (!a)
			return false;
		a->uid = uid;
		SLIST_INSERT_HEAD(&q->accounts, a, next);
	}
	a->has[kind] += n;
	q->all[kind] += n;
	return true;
}

bool quota_take(struct quota *q, enum quota_kind kind, uid_t uid, uint64_t n,
		char ret_why[QUOTA_WHY])
{
	const struct account *a = find(q, uid);

	if (n && !judge(q, kind, a ? a->has[kind] : 0, n, ret_why))
		return false;
	if (quota_count(q, kind, uid, n))
		return true;
	snprintf(ret_why, QUOTA_WHY, "out of memory");
	return false;
}

static bool is_empty(const struct account *a)
{
	for (int i = 0; i < N_QUOTAS; i++) {
		if (a->has[i])
			return false;
	}
	return true;
}

void quota_give(struct quota *q, enum quota_kind kind, uid_t uid, uint64_t n)
{
	struct account *a = n ? find(q, uid) : NULL;

	if (!n)
		return;
	assert(a && a->has[kind] >= n && q->all[kind] >= n);
	a->has[kind] -= n;
	q->all[kind] -= n;
	if (!is_empty(a))
		return;
	SLIST_REMOVE(&q->accounts, a, account, next);
	free(a);
}
