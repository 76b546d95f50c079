/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine's process has to be told though nobody waits for its answer:
 * again and again until it takes it, or is gone.
 */
#ifndef SERVER_INSISTENCE_H
#define SERVER_INSISTENCE_H

#include <stdint.h>

#include <ev.h>

struct hosted;

struct insistence_ops {
	/* Asks the process. The call's id; 0: it takes no requests now. */
	uint64_t (*tell)(void *arg);
	/* It was told, or is gone: the last that is heard of it. May free it.
	 */
	void (*over)(void *arg);
};

struct insistence {
	struct hosted *machine;
	const struct insistence_ops *ops;
	void *arg;
	ev_timer retry;
};

void insistence_init(struct insistence *t, struct hosted *m,
		     const struct insistence_ops *ops, void *arg);
/* Tells it at once; over() may be called before it returns, and may free @t. */
void insistence_begin(struct insistence *t);
/* It is not told any more. Harmless where that never began. */
void insistence_end(struct insistence *t);

#endif
