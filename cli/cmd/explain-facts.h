/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What `pmuctl explain` knows by itself: CSRs with their fields, SBI errors,
 * and how an event_idx is made up. What a machine knows it is asked for.
 */
#ifndef CLI_CMD_EXPLAIN_FACTS_H
#define CLI_CMD_EXPLAIN_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include <fw/sbi-error.h>

enum {
	CSR_MAX_FIELDS = 7
};

struct csr_field {
	uint8_t high, low; /* bits, of the RV64 register */
	const char *name, *what;
};

/* A CSR, or a run of @n of them. */
struct csr_info {
	uint16_t first, n;
	const char *section, *what;
	struct csr_field field[CSR_MAX_FIELDS + 1]; /* the last has no name */
};

/* By name ("mhpmevent7") or number; NULL: none known. @ret_number is set. */
const struct csr_info *csr_info_find(const char *text, uint16_t *ret_number);

/* Calls @fn with the name of each CSR known. */
void csr_info_each(void (*fn)(void *arg, const char *name), void *arg);

struct error_info {
	enum sbi_error code;
	const char *what;
	const char *pmu; /* when PMU functions answer it; NULL: never */
};

/* By name, with or without SBI_ERR_, or by code ("-3"); NULL: none. */
const struct error_info *error_info_find(const char *text);

/* A row of tests/rules; what it does not have is NULL. */
struct rule_info {
	const char *name, *chapter;
	const char *title;    /* NULL: the anchor says it */
	const char *decision; /* in full; NULL: the name is a specification's */
	const char *by;	      /* who decided it */
	const char *section;  /* where the specification speaks of it */
};
/* Written by rules-table.py from tests/rules, in the order of names. */
extern const struct rule_info rule_infos[];
extern const unsigned rule_infos_len;

typedef void csr_rule_fn(void *arg, const struct rule_info *rule);
/* Calls @fn with each rule that concerns the CSR of this name, in the order of
 * names. Returns how many there are. */
unsigned csr_rules_each(const char *csr, csr_rule_fn *fn, void *arg);

enum {
	EVENT_TEXT = 160,
	RULE_TEXT = 256, /* a name and what it stands for */
	CSR_NAME = 24
};

/*
 * What the numbers in an event_idx say, "cache event: DTLB, read, misses".
 * Writes to @buf of EVENT_TEXT bytes and returns it.
 */
const char *event_idx_text(uint32_t idx, char *buf);
/* What an event_idx counts that a machine does not name as one of its events:
 * @buf, of EVENT_TEXT bytes, or a constant. */
const char *event_idx_uncounted(uint32_t idx, char *buf);
/*
 * The event_idx that the SBI calls @text: CACHE_MISSES, SET_TIMER, with or
 * without SBI_PMU_HW_ and SBI_PMU_FW_; DTLB-read-miss.
 */
bool event_idx_find(const char *text, uint32_t *ret);

#endif
