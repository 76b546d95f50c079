/* SPDX-License-Identifier: BSD-2-Clause */
/* What a new machine has of hosted.c: for hosted-new.c alone. */
#ifndef SERVER_HOSTED_INSIDE_H
#define SERVER_HOSTED_INSIDE_H

#include "hosted.h"

/* Starts its process, of which hosted.c hears. Returns 0 or a negated errno. */
int hosted_spawn(struct hosted *m);
/* Without its process, or after it. NULL is fine. */
void hosted_free(struct hosted *m);

#endif
