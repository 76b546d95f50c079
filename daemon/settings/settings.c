/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of settings, and whom a key means: the machine, all harts or some.
 * What a setting does to a machine is decided where machines are built.
 */
#include "settings.h"

#include <stdio.h>
#include <string.h>

#include <fw/quirk.h>
#include <pmu/isa.h>

#include "isa-string.h"
#include "number.h"
#include "settings/settings-build.h"
#include "settings-value.h"

#define KEY(key, member, type, help)                                           \
	key, help, SETTINGS_##type, .offset = offsetof(struct settings, member)
#define HART(key, member, type, help)                                          \
	key, help, SETTINGS_##type,                                            \
		.per_hart = true,                                              \
		.offset = offsetof(struct settings_hart, member)
#define PART(key, member, KIND, text, help)                                    \
	PART_BEFORE(key, member, KIND, text, help, "preset")
#define PART_BEFORE(key, member, KIND, text, help, was)                        \
	{                                                                      \
		KEY(key, member, PART, help), WORDS(text, "preset"),           \
			.before = (was),                                       \
			.part = offsetof(struct pmu_uarch_config, member),     \
			.part_kind = SETTINGS_PART_##KIND                      \
	}
#define CACHE_TEXT                                                             \
	"preset, none, SIZE:LINE:WAYS[:lru|plru|random][:back|through]"
#define TLB_TEXT	    "preset, none, ENTRIES:WAYS[:lru|plru|random]"
#define RANGE(lo, hi, dflt) .min = (lo), .max = (hi), .initial = (dflt)
#define WORDS(words, dflt)  .values = (words), .initial = (dflt)
#define ON_OFF(dflt)	    WORDS("on|off", dflt)

#define ARRAY_N(a)  (sizeof(a) / sizeof((a)[0]))
/* And what sets A and D is for software to choose (menvcfg.ADUE). */
#define EXT_DEFAULT (PMU_EXT_DEFAULT | PMU_EXT_SVADU | PMU_EXT_SVADE)

/* "|spec|opensbi": in the order of enum fw_profile */
static const char profiles[] =
#define X(id, name) "|" name
	FW_PROFILES(X)
#undef X
	;

static const struct settings_row rows[] = {
	{ KEY("xlen", xlen, NUMBER, "register width of all harts"),
	  RANGE(32, 64, "64"), .values = "32|64" },
	{ HART("isa", ext, ISA, "all extensions at once; what it lacks is off"),
	  .values = "rv32i..., rv64g..., letters and names as in the manual" },
	{ KEY("clock-hz", clock_hz, NUMBER, "cycles of the clock per second"),
	  RANGE(1, 1000000000000, "1000000000") },
	{ KEY("time-hz", time_hz, NUMBER, "ticks of time per second"),
	  RANGE(1, 1000000000000, "10000000") },
	{ KEY("ref-hz", tick_hz[PMU_TICK_REF], NUMBER,
	      "ref-cycles per second while a hart's clock runs, 0: there are "
	      "none"),
	  RANGE(0, 1000000000000, "0"), .before = "0" },
	{ KEY("bus-hz", tick_hz[PMU_TICK_BUS], NUMBER,
	      "bus-cycles per second, 0: there are none"),
	  RANGE(0, 1000000000000, "0"), .before = "0" },
	{ KEY("cpi", cpi, NUMBER, "cycles of a retired instruction"),
	  RANGE(1, 1000000, "1") },
	{ KEY("trap-cycles", trap_cycles, NUMBER, "cycles of a trap entry"),
	  RANGE(1, 1000000, "1") },
	{ KEY("quantum", quantum, NUMBER,
	      "cycles of a turn among harts; below 32, LR/SC loops may hang"),
	  RANGE(1, 1000000000, "200000") },
	{ KEY("yield", yield, SWITCH,
	      "a turn also ends when its hart sends an IPI or a remote fence, "
	      "and when a wait is over"),
	  ON_OFF("on"), .before = "off" },
	{ KEY("sum-pages", sum_pages, SWITCH,
	      "clearing SUM voids what held by it, not all translations"),
	  ON_OFF("on"), .before = "off" },
	{ KEY("wfi-cycles", wfi_cycles, CHOICE,
	      "do cycle counters count or stop while a hart waits"),
	  WORDS("count|stop", "count") },
	{ HART("sv", sv, CHOICE, "the largest translation scheme"),
	  WORDS("largest|bare|sv32|sv39|sv48|sv57", "largest") },
	{ HART("asid-bits", asid_bits, NUMBER, "bits of satp.ASID, 9 on RV32"),
	  RANGE(0, 16, "9") },
	{ HART("hpm-counters", hpm_counters, COUNTERS,
	       "the mhpmcounters that exist"),
	  WORDS("all, none, a bitmap 0x..., a list 3-6,9", "0xfffffff8") },
	{ HART("hpm-width", hpm_width, WIDTHS, "bits of the mhpmcounters"),
	  WORDS("1 to 64, for some of them 3-6:40,9:32", "64") },
	{ HART("hpm-events", hpm_events, EVENTS,
	       "events that the mhpmcounters can count"),
	  WORDS("all, none, events, for some counters cycles:3-6+9,loads",
		"all") },
	{ HART("mvendorid", mvendorid, HEX, "the CSR of this name"),
	  RANGE(0, UINT32_MAX, "0x0") },
	{ HART("marchid", marchid, HEX, "the CSR of this name"),
	  RANGE(0, UINT64_MAX, "0x0") },
	{ HART("mimpid", mimpid, HEX, "the CSR of this name"),
	  RANGE(0, UINT64_MAX, "0x0") },
	{ HART("pmp-entries", pmp, CHOICE,
	       "entries of physical memory protection, of pages"),
	  WORDS("0|16|64", "16"), .before = "0" },
	{ KEY("board", board, CHOICE,
	      "virt: devices interrupt, as those of QEMU's virt; plain: a UART "
	      "without"),
	  WORDS("virt|plain", "virt"), .before = "plain" },
	{ KEY("serial", serial, SWITCH,
	      "a second UART, whose output goes to whoever reads port 1"),
	  ON_OFF("off"), .before = "off" },
	{ KEY("rtc-base", rtc_base, NUMBER,
	      "what the clock of day says at cycle 0, in seconds since 1970"),
	  /* 2026-01-01; nanoseconds have 63 bits */
	  RANGE(0, 9223372036, "1767225600"), .before = "1767225600" },
	{ KEY("rng-seed", rng_seed, SEED,
	      "randomness for the guest's kernel; fixed: always the same, and "
	      "none on board=plain; random: drawn once, and recorded"),
	  WORDS("fixed, random, none, 32 to 256 bytes in hexadecimal", "fixed"),
	  .before = "fixed" },
	{ KEY("profile", profile, CHOICE,
	      "what the firmware answers where implementations differ"),
	  WORDS(profiles + 1, FW_PROFILE_DEFAULT_NAME) },
	{ KEY("sbi-version", sbi, CHOICE, "of the firmware's interface"),
	  WORDS("1.0|2.0|3.0", "3.0") },
	{ KEY("snapshot", snapshot, CHOICE,
	      "counter snapshots (PMU FID 7); auto: not with opensbi, nor for "
	      "a "
	      "Linux kernel"),
	  WORDS("auto|on|off", "auto") },
	{ KEY("sse", sse, SWITCH, "supervisor software events, from SBI 3.0"),
	  ON_OFF("on") },
	{ KEY("fw-counters", fw_counters, NUMBER,
	      "firmware counters of each hart"),
	  RANGE(0, 32, "24") },
	{ KEY("max-insns", max_insns, NUMBER,
	      "end after so many instructions of all harts, 0: never"),
	  RANGE(0, UINT64_MAX, "0") },
	{ KEY("max-cycles", max_cycles, NUMBER,
	      "end at this cycle of the clock, 0: never"),
	  RANGE(0, UINT64_MAX, "0") },
	{ KEY("reboot", reboot, SWITCH,
	      "a reboot loads the images again and goes on; off: it ends the "
	      "run"),
	  ON_OFF("off"), .before = "off" },
	{ KEY("trap-loop", trap_loop, CHOICE,
	      "one trap 1000 times and no instruction: note it, or end there"),
	  WORDS("note|stop", "note") },
	{ KEY("fp-minmax", fp_minmax, CHOICE,
	      "fmin and fmax: exact, or as fast as the engine's, which takes a "
	      "signalling NaN for a result"),
	  WORDS("exact|native", "exact") },
	{ KEY("uarch", uarch, CHOICE,
	      "models of caches, TLBs and branch predictors of each hart, for "
	      "events that need them"),
	  WORDS("none|tiny|small|large", "none"), .before = "none" },
	PART("l1i", l1i, CACHE, CACHE_TEXT, "first-level instruction cache"),
	PART("l1d", l1d, CACHE, CACHE_TEXT, "first-level data cache"),
	PART("llc", ll, CACHE, CACHE_TEXT, "last-level cache"),
	PART("itlb", itlb, TLB, TLB_TEXT, "first-level TLB of fetches"),
	PART("dtlb", dtlb, TLB, TLB_TEXT, "first-level TLB of data"),
	PART("stlb", stlb, TLB, TLB_TEXT, "second-level TLB of both"),
	PART("predictor", predictor, PREDICTOR,
	     "preset, none, static[:TARGETS[:RETURNS]], "
	     "bimodal:ENTRIES[:TARGETS[:RETURNS]], "
	     "gshare:ENTRIES:HISTORY[:TARGETS[:RETURNS]]",
	     "branch predictor"),
	PART_BEFORE("prefetch", prefetch, PREFETCH, "preset, none, next",
		    "into l1d: next, behind a miss the line that follows",
		    "none"),
	PART("stalls", stalls, STALLS,
	     "preset, none, LAST-LEVEL:MEMORY:STLB:WALK:BRANCH",
	     "cycles that timing=inorder waits for each"),
	{ KEY("timing", timing, CHOICE,
	      "cycles of an instruction: as cpi says, or a hart that issues in "
	      "order also waits for what its models miss"),
	  WORDS("fixed|inorder", "fixed"), .before = "fixed" },
	{ KEY("uarch-watch", uarch_watch, SWITCH,
	      "observers' own models from the start on, which totals tell of"),
	  ON_OFF("off"), .host_only = true },
	{ KEY("uarch-explain", uarch_explain, NUMBER,
	      "why these models' caches and TLBs missed: so many of the last "
	      "misses are kept, of each hart, event and privilege"),
	  RANGE(0, SETTINGS_MAX_EXPLAIN, "0"), .host_only = true },
	{ KEY("engine", engine, CHOICE,
	      "how blocks are counted: in generated code where that checks "
	      "out, by a hook, in generated code or not at all, the same with "
	      "its bytes looked at in each run"),
	  WORDS("auto|portable|fast|check", SETTINGS_ENGINE),
	  .host_only = true },
	{ KEY("engines", engines, CHOICE,
	      "1: one for all privileges, 2: users have their own, auto: one "
	      "where each privilege can have a TLB in it, else two"),
	  WORDS("auto|1|2", "auto"), .host_only = true },
	{ KEY("step-only", step_only, SWITCH,
	      "every instruction on its own: slow, for comparison"),
	  ON_OFF("off"), .host_only = true },
	{ KEY("code-buffer", code_buffer, SIZE,
	      "memory for translated code, per engine"),
	  RANGE(64 << 20, 1 << 30, "64MiB"), .host_only = true },
	{ KEY("host-slice", host_slice, NUMBER,
	      "microseconds between looks at requests"),
	  RANGE(1, 1000000, "1000"), .host_only = true },
	{ KEY("pace", pace, CHOICE,
	      "time of an idle guest: skipped, or as long as the host's; real "
	      "where `pmuctl run` has a terminal"),
	  WORDS("none|real", "none"), .host_only = true },
};

/*
 * The switches of extensions come behind the other rows, one for each of
 * libpmu's; what has no text here is always on, or known by its name.
 */
static const struct {
	uint64_t ext;
	const char *help;
} helps[] = {
	{ PMU_EXT_S, "supervisor mode; off only with a start in M-mode" },
	{ PMU_EXT_U, "user mode" },
	{ PMU_EXT_F, "single-precision floating point" },
	{ PMU_EXT_D, "double-precision floating point, together with f" },
	{ PMU_EXT_H, "hypervisor: modes VS and VU, two-stage translation" },
	{ PMU_EXT_ZICNTR, "cycle, time, instret" },
	{ PMU_EXT_ZIHPM, "hpmcounter3-31" },
	{ PMU_EXT_SSCOFPMF, "overflow interrupts and mode filters" },
	{ PMU_EXT_SMCNTRPMF, "mode filters of cycle and instret" },
	{ PMU_EXT_SSTC, "stimecmp" },
	{ PMU_EXT_SVADU, "A and D bits by hardware, with svade if told to" },
	{ PMU_EXT_SVADE,
	  "A and D by page faults; with svadu, menvcfg.ADUE chooses" },
	{ PMU_EXT_SMCSRIND, "indirect CSRs of M-mode" },
	{ PMU_EXT_SSCSRIND, "indirect CSRs of S-mode" },
	{ PMU_EXT_SMCDELEG, "counters delegated to S-mode" },
	{ PMU_EXT_SSCCFG, "delegated counters configured by S-mode" },
	{ PMU_EXT_SMSTATEEN, "state enable bits" },
	{ PMU_EXT_SMAIA, "priorities and virtual interrupts; no IMSIC" },
	{ PMU_EXT_SSAIA,
	  "the same as S-mode and guests see it; on with smaia" },
	{ PMU_EXT_SSCOUNTERENW, "scounteren has a bit for each hpmcounter" },
	{ PMU_EXT_SHCOUNTERENW,
	  "hcounteren has a bit for each hpmcounter; on with h" },
	{ PMU_EXT_SHLCOFIDELEG, "LCOFI can be delegated to VS-mode" },
	{ PMU_EXT_XPMUEBB, "event-based branches to user code (docs/EBB.md)" },
};

size_t settings_count(void)
{
	size_t n;

	pmu_ext_table(&n);
	return ARRAY_N(rows) + n;
}

static const char *help_of(uint64_t ext)
{
	for (size_t i = 0; i < ARRAY_N(helps); i++)
		if (helps[i].ext == ext)
			return helps[i].help;
	return "the extension of this name";
}

static void ext_row(const struct pmu_ext_desc *d, struct settings_row *ret)
{
	bool fixed = d->ext & SETTINGS_EXT_FIXED;

	*ret = (struct settings_row){
		.key = d->name,
		.help = fixed ? "always there, the engine executes it"
			      : help_of(d->ext),
		.type = SETTINGS_EXT,
		.initial = EXT_DEFAULT & d->ext ? "on" : "off",
		.values = fixed ? "on" : "on|off",
		.per_hart = true,
		.ext = d->ext,
	};
}

void settings_row(size_t i, struct settings_row *ret)
{
	size_t n;
	const struct pmu_ext_desc *exts = pmu_ext_table(&n);

	if (i < ARRAY_N(rows))
		*ret = rows[i];
	else
		ext_row(&exts[i - ARRAY_N(rows)], ret);
}

static bool find(const char *key, struct settings_row *ret)
{
	size_t n;
	const struct pmu_ext_desc *exts = pmu_ext_table(&n);

	for (size_t i = 0; i < ARRAY_N(rows); i++) {
		if (!strcmp(rows[i].key, key)) {
			*ret = rows[i];
			return true;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(exts[i].name, key)) {
			ext_row(&exts[i], ret);
			return true;
		}
	}
	return false;
}

/* Whom a key means. */
struct target {
	bool some; /* harts @first to @last, else all there is */
	unsigned first, last;
	const char *key; /* behind "hartN." */
};

static bool take_hart(const char **text, unsigned *ret)
{
	uint64_t n;

	if (!number_take(text, &n) || n >= SETTINGS_HARTS)
		return false;
	*ret = (unsigned)n;
	return true;
}

/* "hart0-1.KEY"; what does not look like it is a plain key. */
static bool read_target(const char *key, struct target *ret)
{
	const char *p = key + 4;

	*ret = (struct target){ .last = SETTINGS_HARTS - 1, .key = key };
	if (strncmp(key, "hart", 4) != 0 || !strchr(key, '.'))
		return true;
	ret->some = true;
	if (!take_hart(&p, &ret->first))
		return false;
	ret->last = ret->first;
	if (*p == '-') {
		p++;
		if (!take_hart(&p, &ret->last) || ret->last < ret->first)
			return false;
	}
	ret->key = p + 1;
	return *p == '.';
}

/*
 * A value is read once, whatever the number of harts: neither whether it is
 * good nor what it says depends on the hart.
 */
static bool set_harts(struct settings *s, const struct settings_row *row,
		      const struct target *t, const char *value, char *why)
{
	struct value_of_hart got;

	if (!value_parse_hart(row, value, &got, why))
		return false;
	for (unsigned i = t->first; i <= t->last; i++) {
		value_apply(row, &got, &s->hart[i]);
		if (t->some)
			s->named |= UINT64_C(1) << i;
	}
	/* An ISA string for all says also what the machine is. */
	if (row->type == SETTINGS_ISA && !t->some && !s->xlen_given)
		s->xlen = s->hart[0].isa_xlen;
	return true;
}

static bool set_machine(struct settings *s, const struct settings_row *row,
			const char *value, char *why)
{
	char *at = (char *)s + row->offset;
	uint64_t old;

	memcpy(&old, at, sizeof(old));
	if (!value_parse(row, value, s, why)) {
		memcpy(at, &old, sizeof(old));
		return false;
	}
	if (row->offset == offsetof(struct settings, xlen))
		s->xlen_given = true;
	return true;
}

/* Finds what @key means. False: @ret_error says what is wrong with it. */
static bool read_key(const char *key, struct target *t,
		     struct settings_row *row, char *ret_error)
{
	if (!read_target(key, t))
		snprintf(ret_error, SETTINGS_ERROR,
			 "setting '%.64s': harts are named hartN. or hartN-M., "
			 "from 0 to %d",
			 key, SETTINGS_HARTS - 1);
	else if (isa_gone(t->key, strlen(t->key)))
		snprintf(ret_error, SETTINGS_ERROR, "no setting '%.64s': %s",
			 key, isa_gone(t->key, strlen(t->key)));
	else if (!find(t->key, row))
		snprintf(ret_error, SETTINGS_ERROR,
			 "no setting '%.64s': see the list of settings", key);
	else if (t->some && !row->per_hart)
		snprintf(
			ret_error, SETTINGS_ERROR,
			"setting %.64s: %s is a setting of the machine, not of "
			"single harts",
			key, row->key);
	else
		return true;
	return false;
}

bool settings_known(const char *key)
{
	struct settings_row row;
	struct target t;
	char why[SETTINGS_ERROR];

	return read_key(key, &t, &row, why);
}

bool settings_set(struct settings *s, const char *key, const char *value,
		  char *ret_error)
{
	struct settings_row row;
	struct target t;
	char why[SETTINGS_ERROR];

	if (!read_key(key, &t, &row, ret_error))
		return false;
	if (strlen(value) >= SETTINGS_TEXT) {
		snprintf(ret_error, SETTINGS_ERROR,
			 "setting %.64s: the value is longer than %d bytes",
			 key, SETTINGS_TEXT - 1);
		return false;
	}
	if (row.per_hart ? set_harts(s, &row, &t, value, why)
			 : set_machine(s, &row, value, why))
		return true;
	snprintf(ret_error, SETTINGS_ERROR, "setting %.64s: %.400s", key, why);
	return false;
}

const char *settings_initial(const struct settings_row *row, char *buf)
{
	return row->type == SETTINGS_ISA ? isa_print(64, EXT_DEFAULT, buf)
					 : row->initial;
}

/* The table's own values are good. */
static void set_all(struct settings *s, const struct settings_row *row,
		    const char *value)
{
	static const struct target all = { .last = SETTINGS_HARTS - 1 };
	char error[SETTINGS_ERROR];

	if (row->per_hart)
		(void)set_harts(s, row, &all, value, error);
	else
		(void)set_machine(s, row, value, error);
}

void settings_init(struct settings *s)
{
	struct settings_row row;

	memset(s, 0, sizeof(*s));
	for (unsigned i = 0; i < SETTINGS_HARTS; i++)
		s->hart[i].ext = EXT_DEFAULT;
	for (size_t i = 0; i < settings_count(); i++) {
		settings_row(i, &row);
		if (row.type != SETTINGS_ISA)
			set_all(s, &row, row.initial);
	}
	s->xlen_given = false;
}

void settings_init_recorded(struct settings *s)
{
	struct settings_row row;

	settings_init(s);
	for (size_t i = 0; i < settings_count(); i++) {
		settings_row(i, &row);
		if (row.before)
			set_all(s, &row, row.before);
	}
}

const char *settings_get(const struct settings *s,
			 const struct settings_row *row, unsigned hart,
			 char *buf)
{
	const void *base = s;

	if (row->per_hart)
		base = &s->hart[hart];
	value_print(row, base, (unsigned)s->xlen, buf);
	return buf;
}
