/* SPDX-License-Identifier: BSD-2-Clause */
/* Which process of Linux runs on a hart, or ran, and what it has mapped. */
#ifndef CONTROL_CONTROL_PROCESS_H
#define CONTROL_CONTROL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes.h"
#include "pmu/v1/traces.pb-c.h"

struct control;
struct error;

struct control_addresses {
	const uint64_t *address;
	size_t n;
};

/* Is it in the half of the addresses that Linux leaves to users? */
bool control_is_users(struct control *c, uint64_t address);
/*
 * The one on @hart, with its mappings of those of @at that are users'; *@ret is
 * NULL where it is not known. False: there is no such hart.
 */
bool control_find_process(struct control *c, unsigned hart,
			  const struct control_addresses *at,
			  Pmu__V1__Process **ret, struct error *e);
/* Asks of one request about processes that ran. */
struct control_recall *control_recall_new(struct control *c);
/*
 * The one of @note, with its mapping of @pc; *@ret is NULL if it is not there.
 */
enum process_recalled control_recall_code(struct control_recall *all,
					  const struct process_note *note,
					  uint64_t pc, Pmu__V1__Process **ret);
/* Is the hart in VS or VU now? */
bool control_is_virtual(struct control *c, unsigned hart);
/* The hart's satp. */
uint64_t control_satp(struct control *c, unsigned hart);
/* What it, which may be NULL, has at @address. NULL: nothing is known. */
const Pmu__V1__Mapping *control_mapping(const Pmu__V1__Process *p,
					uint64_t address);

#endif
