/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs of the performance monitoring unit and of the traps it causes, with
 * their fields. Numbers and fields are those of the Privileged ISA and of the
 * extensions that a row names.
 */
#include "explain-facts.h"

#include <stdio.h>
#include <string.h>

#include "number.h"

#define FILTERS                                                                \
	{ 62, 62, "MINH", "do not count in M-mode" },                          \
		{ 61, 61, "SINH", "do not count in S- or HS-mode" },           \
		{ 60, 60, "UINH", "do not count in U-mode" },                  \
		{ 59, 59, "VSINH", "do not count in VS-mode" },                \
	{                                                                      \
		58, 58, "VUINH", "do not count in VU-mode"                     \
	}
#define ENABLES                                                                \
	{ 31, 3, "HPM31-HPM3", "hpmcounter n" }, { 2, 2, "IR", "instret" },    \
		{ 1, 1, "TM", "time" },                                        \
	{                                                                      \
		0, 0, "CY", "cycle"                                            \
	}
#define LCOFI_BIT                                                              \
	{                                                                      \
		13, 13, "LCOFI", "local counter overflow interrupt"            \
	}

static const char machine_hpm[] = "Hardware Performance Monitor (Machine)";
static const char sscofpmf[] = "Sscofpmf";
static const char smcdeleg[] = "Smcdeleg and Ssccfg";
static const char smcsrind[] = "Smcsrind and Sscsrind";
static const char smcntrpmf[] = "Smcntrpmf";
static const char zicntr[] = "Zicntr and Zihpm";
static const char machine[] = "Machine-Level ISA";
static const char supervisor[] = "Supervisor-Level ISA";
static const char hypervisor[] = "H extension";
static const char sstc[] = "Sstc";
static const char smstateen[] = "Smstateen";

static const struct csr_info infos[] = {
	{ "scounteren",
	  0x106,
	  0x106,
	  0,
	  NULL,
	  supervisor,
	  "which user counters U-mode (and VU-mode) may read",
	  { ENABLES } },
	{ "scountinhibit",
	  0x120,
	  0x120,
	  0,
	  NULL,
	  smcdeleg,
	  "mcountinhibit as far as mcounteren delegates; needs menvcfg.CDE",
	  { { 31, 3, "HPM31-HPM3", "mhpmcounter n stands" },
	    { 2, 2, "IR", "minstret stands" },
	    { 0, 0, "CY", "mcycle stands" } } },
	{ "sie",
	  0x104,
	  0x104,
	  0,
	  NULL,
	  supervisor,
	  "interrupts enabled for S-mode: delegated bits of mie",
	  { LCOFI_BIT } },
	{ "sip",
	  0x144,
	  0x144,
	  0,
	  NULL,
	  supervisor,
	  "interrupts pending for S-mode: delegated bits of mip",
	  { { 13, 13, "LCOFIP", "pending; software clears it" } } },
	{ "stimecmp", 0x14d, 0x14d, 0, NULL, sstc,
	  "STIP is pending while time is not below it; needs menvcfg.STCE" },
	{ "siselect", 0x150, 0x150, 0, NULL, smcsrind,
	  "which register sireg to sireg6 reach; 0x40-0x5f: counter n - 0x40" },
	{ "sireg", 0x151, 0x151, 0, NULL, smcdeleg,
	  "the counter that siselect 0x40-0x5f selects (RV32: its low half)" },
	{ "sireg2", 0x152, 0x152, 0, NULL, smcdeleg,
	  "its event or filters (RV32: the low half); MINH is hidden" },
	{ "sireg4", 0x155, 0x155, 0, NULL, smcdeleg,
	  "RV32: the high half of the counter" },
	{ "sireg5", 0x156, 0x156, 0, NULL, smcdeleg,
	  "RV32: the high half of its event or filters" },
	{ "mideleg",
	  0x303,
	  0x303,
	  0,
	  NULL,
	  machine,
	  "interrupts that S-mode takes",
	  { LCOFI_BIT } },
	{ "mie",
	  0x304,
	  0x304,
	  0,
	  NULL,
	  machine,
	  "interrupts enabled",
	  { LCOFI_BIT } },
	{ "mcounteren",
	  0x306,
	  0x306,
	  0,
	  NULL,
	  machine,
	  "which user counters the modes below M may read",
	  { ENABLES } },
	{ "menvcfg",
	  0x30a,
	  0x30a,
	  0,
	  NULL,
	  machine,
	  "features of the modes below M",
	  { { 63, 63, "STCE", "stimecmp drives STIP (Sstc)" },
	    { 61, 61, "ADUE", "hardware sets A and D (Svadu)" },
	    { 60, 60, "CDE", "counters are delegated to S-mode (Smcdeleg)" },
	    { 0, 0, "FIOM", "fences of I/O order memory, too" } } },
	{ "mstateen",
	  0x30c,
	  0x30f,
	  0,
	  NULL,
	  smstateen,
	  "state that modes below M may use",
	  { { 60, 60, "CSRIND", "siselect and sireg (in mstateen0)" } } },
	{ "mcountinhibit",
	  0x320,
	  0x320,
	  0,
	  NULL,
	  machine_hpm,
	  "which counters stand; reading them is not affected",
	  { { 31, 3, "HPM31-HPM3", "mhpmcounter n stands" },
	    { 2, 2, "IR", "minstret stands" },
	    { 0, 0, "CY", "mcycle stands" } } },
	{ "mcyclecfg",
	  0x321,
	  0x321,
	  0,
	  NULL,
	  smcntrpmf,
	  "in which modes mcycle stands",
	  { FILTERS } },
	{ "minstretcfg",
	  0x322,
	  0x322,
	  0,
	  NULL,
	  smcntrpmf,
	  "in which modes minstret stands",
	  { FILTERS } },
	{ "mhpmevent",
	  0x323,
	  0x33f,
	  3,
	  NULL,
	  sscofpmf,
	  "what mhpmcounter n counts, in which modes, and its overflow",
	  { { 63, 63, "OF", "overflowed; while it is 1, no interrupt" },
	    FILTERS,
	    { 55, 0, "event", "selects the event; see pmuctl list" } } },
	{ "mip",
	  0x344,
	  0x344,
	  0,
	  NULL,
	  machine,
	  "interrupts pending",
	  { { 13, 13, "LCOFIP", "pending; software clears it" } } },
	{ "mcyclecfgh", 0x721, 0x721, 0, NULL, smcntrpmf,
	  "RV32: bits 63:32 of mcyclecfg" },
	{ "minstretcfgh", 0x722, 0x722, 0, NULL, smcntrpmf,
	  "RV32: bits 63:32 of minstretcfg" },
	{ "mhpmevent", 0x723, 0x73f, 3, "h", sscofpmf,
	  "RV32: bits 63:32 of mhpmevent n" },
	{ "mcycle", 0xb00, 0xb00, 0, NULL, machine_hpm,
	  "clock cycles of this hart, 64 bits" },
	{ "minstret", 0xb02, 0xb02, 0, NULL, machine_hpm,
	  "instructions that this hart retired, 64 bits" },
	{ "mhpmcounter", 0xb03, 0xb1f, 3, NULL, machine_hpm,
	  "counts the event that mhpmevent n selects" },
	{ "mcycleh", 0xb80, 0xb80, 0, NULL, machine_hpm,
	  "RV32: bits 63:32 of mcycle" },
	{ "minstreth", 0xb82, 0xb82, 0, NULL, machine_hpm,
	  "RV32: bits 63:32 of minstret" },
	{ "mhpmcounter", 0xb83, 0xb9f, 3, "h", machine_hpm,
	  "RV32: bits 63:32 of mhpmcounter n" },
	{ "cycle", 0xc00, 0xc00, 0, NULL, zicntr,
	  "mcycle, read-only; mcounteren and scounteren open it" },
	{ "time", 0xc01, 0xc01, 0, NULL, zicntr,
	  "ticks of the time base, the same on all harts" },
	{ "instret", 0xc02, 0xc02, 0, NULL, zicntr,
	  "minstret, read-only; mcounteren and scounteren open it" },
	{ "hpmcounter", 0xc03, 0xc1f, 3, NULL, zicntr,
	  "mhpmcounter n, read-only; mcounteren and scounteren open it" },
	{ "cycleh", 0xc80, 0xc80, 0, NULL, zicntr,
	  "RV32: bits 63:32 of cycle" },
	{ "timeh", 0xc81, 0xc81, 0, NULL, zicntr, "RV32: bits 63:32 of time" },
	{ "instreth", 0xc82, 0xc82, 0, NULL, zicntr,
	  "RV32: bits 63:32 of instret" },
	{ "hpmcounter", 0xc83, 0xc9f, 3, "h", zicntr,
	  "RV32: bits 63:32 of hpmcounter n" },
	{ "hcounteren",
	  0x606,
	  0x606,
	  0,
	  NULL,
	  hypervisor,
	  "which user counters VS- and VU-mode may read",
	  { ENABLES } },
	{ "scountovf",
	  0xda0,
	  0xda0,
	  0,
	  NULL,
	  sscofpmf,
	  "OF of every counter that mcounteren opens, read-only",
	  { { 31, 3, "OF31-OF3", "counter n has overflowed" } } },
};

enum {
	N_INFOS = sizeof(infos) / sizeof(infos[0])
};

/* Does @name mean one of the run @info? */
static int place_in_run(const struct csr_info *info, const char *name)
{
	size_t len = strlen(info->name);
	const char *end = name + len;
	uint64_t n;

	if (strncmp(name, info->name, len) != 0 || !number_take(&end, &n))
		return -1;
	if (strcmp(end, info->suffix ? info->suffix : "") != 0)
		return -1;
	if (n < info->base ||
	    n > (uint64_t)(info->base + info->last - info->first))
		return -1;
	return (int)n - info->base;
}

static int place(const struct csr_info *info, const char *name)
{
	if (info->first == info->last)
		return strcmp(info->name, name) == 0 ? 0 : -1;
	return place_in_run(info, name);
}

const struct csr_info *csr_info_find(const char *text, uint16_t *ret_number)
{
	uint64_t number = UINT64_MAX;

	number_parse(text, &number);
	for (size_t i = 0; i < N_INFOS; i++) {
		const struct csr_info *info = &infos[i];
		int at = place(info, text);

		if (number >= info->first && number <= info->last)
			at = (int)(number - info->first);
		if (at < 0)
			continue;
		*ret_number = (uint16_t)(info->first + at);
		return info;
	}
	return NULL;
}

void csr_info_each(void (*fn)(void *arg, const char *name), void *arg)
{
	char name[CSR_INFO_NAME];

	for (size_t i = 0; i < N_INFOS; i++) {
		const struct csr_info *info = &infos[i];

		for (int n = info->first; n <= info->last; n++)
			fn(arg, csr_info_name(info, (uint16_t)n, name));
	}
}

const char *csr_info_name(const struct csr_info *info, uint16_t number,
			  char *buf)
{
	if (info->first == info->last)
		return info->name;
	snprintf(buf, CSR_INFO_NAME, "%s%d%s", info->name,
		 number - info->first + info->base,
		 info->suffix ? info->suffix : "");
	return buf;
}
