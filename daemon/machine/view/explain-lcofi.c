/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Three things can keep a pending interrupt back: its enable bit, the global
 * one of the mode that takes it, and a mode that this one cannot interrupt. All
 * that do are named, for whoever opens one wants to know of the next.
 */
#include "explain-lcofi.h"

#include <stdio.h>

struct taker {
	const char *name, *enable, *global;
};

static const struct taker *taker(enum pmu_mode target, bool firmware)
{
	static const struct taker s = { "S", "sie.LCOFIE", "sstatus.SIE" },
				  vs = { "VS", "vsie.LCOFIE", "vsstatus.SIE" },
				  m = { "M", "mie.LCOFIE", "mstatus.MIE" },
				  fw = { "the firmware, for its software event",
					 "mie.LCOFIE", "mstatus.MIE" };

	if (target == PMU_MODE_S)
		return &s;
	if (target == PMU_MODE_VS)
		return &vs;
	return firmware ? &fw : &m;
}

/* The bits and the mode that keep it back; "" if none does. */
static void tell_hold(const struct pmu_why_lcofi *why, const struct taker *t,
		      char *ret, size_t size)
{
	bool disabled = !why->enabled;
	bool closed = why->asked && !why->open;
	bool told = why->target == PMU_MODE_VS && why->vti;
	int len = snprintf(ret, size, "%s%s%s%s%s", disabled ? t->enable : "",
			   disabled ? " = 0" : "",
			   disabled && closed ? " and " : "",
			   closed ? t->global : "", closed ? " = 0" : "");

	if (told)
		len += snprintf(ret + len, size - (size_t)len,
				"%shvictl.VTI = 1", len ? " and " : "");
	if (why->waits)
		snprintf(ret + len, size - (size_t)len, "%s%s",
			 len ? " and " : "",
			 why->target == PMU_MODE_VS ? "no guest running"
						    : "the hart being in M");
}

void explain_lcofi(const struct pmu_why_lcofi *why, bool firmware,
		   char ret[EXPLAIN_TEXT])
{
	const struct taker *t = taker(why->target, firmware);
	char hold[96];

	tell_hold(why, t, hold, sizeof(hold));
	snprintf(ret, EXPLAIN_TEXT,
		 "LCOFI is %spending; mideleg[13] = %d%s: it goes to %s; %s%s",
		 why->pending ? "" : "not ", why->mideleg,
		 why->hideleg ? ", hideleg[13] = 1" : "", t->name,
		 *hold		? hold
		 : why->pending ? "nothing keeps it back"
				: "nothing would keep it back",
		 !*hold		? ""
		 : why->pending ? " keeps it back"
				: " would keep it back");
}
