/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which names of extensions a hart lives up to. A guest uses what its tree
 * promises without a look at the hart, and then takes a trap that nobody
 * expects; so any name counts as broken that is neither an extension of the
 * hart, nor a part of one, nor a promise that every hart keeps.
 */
#include "dt-promise.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <pmu/isa.h>

#include "settings/isa-string.h"

enum {
	LONGEST = 32, /* bytes of a name that are told */
};

/*
 * Names that are no settings: parts of extensions that are, hints, which are
 * executed as the instructions that they look like, and what is so of memory
 * and of S-mode in any machine.
 */
static const struct isa_name others[] = {
	{ "g", PMU_EXT_G },
	{ "s", PMU_EXT_S },
	{ "u", PMU_EXT_U },
	{ "zmmul", PMU_EXT_M },
	{ "zaamo", PMU_EXT_A },
	{ "zalrsc", PMU_EXT_A },
	{ "zca", PMU_EXT_C },
	{ "zcd", PMU_EXT_C | PMU_EXT_D },
	{ "zcf", PMU_EXT_C | PMU_EXT_F },
	{ "zihintpause", 0 },
	{ "zihintntl", 0 },
	{ "za64rs", 0 },
	{ "ziccamoa", 0 },
	{ "ziccif", 0 },
	{ "zicclsm", 0 },
	{ "ziccrse", 0 },
	{ "ssccptr", 0 },
	{ "sstvecd", 0 },
};

/* Is it a name of this list, and has @ext all of it? */
static bool has(const struct isa_name *list, size_t n, uint64_t ext,
		const char *name, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(list[i].name) == len &&
		    !strncasecmp(list[i].name, name, len))
			return (list[i].ext & ~ext) == 0;
	return false;
}

static bool keeps(const struct pmu_hart_config *hart, const char *name,
		  size_t len)
{
	struct isa_name names[ISA_NAMES];
	size_t n = isa_names(names);

	return has(names, n, hart->ext, name, len) ||
	       has(others, sizeof(others) / sizeof(others[0]), hart->ext, name,
		   len);
}

/* Is it among @names already? A string and a list say much the same. */
static bool named(const char *names, const char *name, size_t len)
{
	for (const char *at = names; *at; at += strspn(at, ", ")) {
		size_t n = strcspn(at, ",");

		if (n == len && !strncasecmp(at, name, len))
			return true;
		at += n;
	}
	return false;
}

static void broken(struct promises *p, const struct pmu_hart_config *hart,
		   const char *name, size_t len)
{
	size_t at = strlen(p->names), room = sizeof(p->names) - at;

	if (len > LONGEST)
		len = LONGEST;
	if ((p->n && p->hartid != hart->hartid) || named(p->names, name, len))
		return;
	p->hartid = hart->hartid;
	if ((size_t)snprintf(p->names + at, room, "%s%.*s", p->n++ ? ", " : "",
			     (int)len, name) < room)
		return;
	p->names[at] = 0;
	p->more = true;
}

static void check(struct promises *p, const struct pmu_hart_config *hart,
		  const char *name, size_t len)
{
	if (len && !keeps(hart, name, len))
		broken(p, hart, name, len);
}

/* Letters one by one, then names behind "_"; no version stands with them. */
void promises_string(struct promises *p, const struct pmu_hart_config *hart,
		     const char *isa)
{
	char base[8];

	snprintf(base, sizeof(base), "rv%u", hart->xlen);
	if (strncasecmp(isa, base, 4) != 0) {
		broken(p, hart, isa, strlen(isa));
		return;
	}
	for (isa += 4; *isa && *isa != '_'; isa++)
		check(p, hart, isa, 1);
	while (*isa == '_') {
		size_t len = strcspn(++isa, "_");

		check(p, hart, isa, len);
		isa += len;
	}
}

void promises_list(struct promises *p, const struct pmu_hart_config *hart,
		   const char *list, size_t len)
{
	while (len) {
		size_t n = strnlen(list, len);

		check(p, hart, list, n);
		if (n == len)
			return;
		list += n + 1;
		len -= n + 1;
	}
}

bool promises_broken(const struct promises *p, char *ret_text, size_t size)
{
	if (p->n)
		snprintf(ret_text, size,
			 "cpu %u promises %s%s, which it has not", p->hartid,
			 p->names, p->more ? " and more" : "");
	return p->n;
}
