/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A process that becomes another program has another command from there on, so
 * it is known by both, number and command; its threads are told apart by their
 * commands alone.
 */
#include "export-space.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/csr-field.h>

#include "array.h"
#include "text/names.h"

bool export_space_is_user(const struct export_space *s)
{
	return privilege_is_user(s->privilege);
}

bool export_space_is_guest(const struct export_space *s)
{
	return privilege_is_guest((int)s->privilege);
}

bool export_space_is_kernel(const struct export_space *s)
{
	return !export_space_is_user(s) && !export_space_is_guest(s);
}

static void name_space(struct export_space *s)
{
	const char *mode = name_privilege((int)s->privilege);

	if (s->is_process)
		snprintf(s->name, sizeof(s->name), "%s %s %" PRIu32, mode,
			 s->comm, s->pid);
	else if (s->satp)
		snprintf(s->name, sizeof(s->name), "%s satp %#" PRIx64, mode,
			 s->satp);
	else
		snprintf(s->name, sizeof(s->name), "%s", mode);
}

/* From 1 on; 0 is none. EXPORT_NONE: out of memory. */
static size_t comm_number(struct export_space_table *t,
			  const struct export_space *s)
{
	struct export_key key;
	size_t n;

	_Static_assert(sizeof(key) == sizeof(s->comm), "a key holds all of it");
	if (!s->is_process)
		return 0;
	memcpy(&key, s->comm, sizeof(key));
	n = export_index_add(&t->comms, key, 1);
	return n == EXPORT_NONE ? n : n + 1;
}

static size_t add(struct export_space_table *t, const struct export_space *s)
{
	size_t comm = comm_number(t, s), n = t->index.n, i;
	const struct export_key key = { { (uint64_t)s->privilege, s->satp,
					  s->pid, comm } };

	i = comm == EXPORT_NONE ? comm : export_index_add(&t->index, key, 1);
	if (i != n || i == EXPORT_NONE)
		return i;
	if (!ARRAY_ROOM(t->space, &t->room, i))
		return EXPORT_NONE;
	t->space[i] = *s;
	name_space(&t->space[i]);
	return i;
}

/* A trace may be anybody's: a name has no controls. Zeros are behind it. */
static void take_comm(char to[EXPORT_COMM], const char *comm)
{
	memccpy(to, comm, 0, EXPORT_COMM - 1);
	for (; *to; to++)
		if (iscntrl((unsigned char)*to))
			*to = '?';
}

size_t export_space_of(struct export_space_table *t, const Pmu__V1__Record *r,
		       unsigned xlen)
{
	struct export_space s = { .privilege = r->privilege };

	/* The ASID is given anew as processes come and go. */
	if (privilege_is_user(r->privilege))
		s.satp = r->satp & ~pmu_satp_asid(xlen);
	if (r->process && !t->no_processes) {
		s.is_process = true;
		s.pid = r->process->pid;
		take_comm(s.comm, r->process->comm);
	}
	return add(t, &s);
}

void export_space_table_fini(struct export_space_table *t)
{
	export_index_fini(&t->index);
	export_index_fini(&t->comms);
	free(t->space);
	*t = (struct export_space_table){ 0 };
}
