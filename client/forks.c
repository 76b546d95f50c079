/* SPDX-License-Identifier: BSD-2-Clause */
/* The list is the process's; threads may have a connection each. */
#include "forks.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static LIST_HEAD(, forked) all = LIST_HEAD_INITIALIZER(all);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int registered;

static void before(void)
{
	pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	struct forked *f;

	LIST_FOREACH(f, &all, link) {
		if (*f->fd >= 0)
			close(*f->fd);
		*f->fd = -1;
	}
	pthread_mutex_unlock(&lock);
}

static void begin(void)
{
	registered = pthread_atfork(before, in_parent, in_child);
}

bool forks_add(struct forked *f, int *fd)
{
	pthread_once(&once, begin);
	if (registered != 0)
		return false;
	f->fd = fd;
	pthread_mutex_lock(&lock);
	LIST_INSERT_HEAD(&all, f, link);
	pthread_mutex_unlock(&lock);
	return true;
}

void forks_remove(struct forked *f)
{
	if (!f->fd)
		return;
	pthread_mutex_lock(&lock);
	LIST_REMOVE(f, link);
	pthread_mutex_unlock(&lock);
}
