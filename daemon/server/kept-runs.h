/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs that outlive pmud (--keep): each has a folder of --state-dir, named as
 * its machine, with its trace and console as they were stored and what is known
 * of the machine. A later pmud lists them as machines without a process.
 */
#ifndef SERVER_KEPT_RUNS_H
#define SERVER_KEPT_RUNS_H

#include <stdbool.h>

struct daemon;
struct hosted;

/*
 * Keeps runs in --state-dir from now on, where no other pmud does. Returns 0 or
 * a negated errno; -EWOULDBLOCK: one does.
 */
int kept_lock(struct daemon *d);
/* Lists what an earlier pmud has left; says on stderr what cannot be read. */
void kept_load(struct daemon *d);
/*
 * Something of it has changed: it is kept from its start on, and what is
 * written of it follows. Harmless where nothing is kept.
 */
void kept_update(struct hosted *m);
/* It was deleted: nothing of it stays. */
void kept_remove(struct hosted *m);

#endif
