/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which rules concern a CSR: those whose name has the CSR's; where there are
 * none, those whose title has it, and then those whose decision has it; and of
 * an upper half without any, those of its register. The cases of test plans,
 * which say nothing of their own, are left out.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "explain-facts.h"

/* Rules are of a run of CSRs: numbers are no part of the name. */
static bool is_csr(const char *word, size_t len, const char *csr)
{
	for (;; csr++) {
		csr += strspn(csr, "0123456789");
		while (len && isdigit((unsigned char)*word)) {
			word++;
			len--;
		}
		if (!len || *word++ != *csr)
			return !len && !*csr;
		len--;
	}
}

static bool has_csr(const char *text, const char *csr)
{
	size_t len;

	for (; text && *text; text += len) {
		for (len = 0; isalnum((unsigned char)text[len]);)
			len++;
		if (len && is_csr(text, len, csr))
			return true;
		len += !len;
	}
	return false;
}

static const char *name_of(const struct rule_info *r)
{
	return r->name;
}

static const char *title_of(const struct rule_info *r)
{
	return r->title;
}

static const char *decision_of(const struct rule_info *r)
{
	return r->decision;
}

static unsigned each_of(const char *csr, csr_rule_fn *fn, void *arg)
{
	static const char *(*const texts[])(
		const struct rule_info *r) = { name_of, title_of, decision_of };
	unsigned n = 0;

	for (size_t t = 0; !n && t < sizeof(texts) / sizeof(texts[0]); t++) {
		for (unsigned i = 0; i < rule_infos_len; i++) {
			const struct rule_info *r = &rule_infos[i];

			if (!r->section || !has_csr(texts[t](r), csr))
				continue;
			fn(arg, r);
			n++;
		}
	}
	return n;
}

unsigned csr_rules_each(const char *csr, csr_rule_fn *fn, void *arg)
{
	unsigned n = each_of(csr, fn, arg);
	char whole[CSR_NAME];
	size_t len = strlen(csr);

	if (n || !len || csr[len - 1] != 'h')
		return n;
	snprintf(whole, sizeof(whole), "%.*s", (int)len - 1, csr);
	return each_of(whole, fn, arg);
}
