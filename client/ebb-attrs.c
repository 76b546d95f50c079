/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong is said of the first event that is, with its reason. */
#include "ebb-attrs.h"

#include "session.h"
#include "sized.h"

struct reason {
	bool wrong;
	const char *text;
};

static int check_attr(struct pmuclient *c, size_t i,
		      const struct pmuclient_ebb_attr *a)
{
	const struct reason reasons[] = {
		{ !(a->config & PMUCLIENT_EBB_EVENT),
		  "bit 63 of config: all events of a group ask for EBB" },
		{ i == 0 && !a->pinned, "pinned: the leader must be" },
		{ i == 0 && !a->exclusive, "exclusive: the leader must be" },
		{ i > 0 && a->pinned, "pinned: only the leader may be" },
		{ i > 0 && a->exclusive, "exclusive: only the leader may be" },
		{ a->counter < 3 || a->counter > 31,
		  "counter: one of 3 to 31 must be named" },
		{ a->inherit, "inherit: EBB events are not inherited" },
		{ a->freq, "freq: must not be set" },
		{ a->enable_on_exec, "enable_on_exec: must not be set" },
		{ a->sample_period, "sample_period: must not be set" },
		{ a->sample_type, "sample_type: must not be set" },
	};

	for (size_t r = 0; r < sizeof(reasons) / sizeof(*reasons); r++)
		if (reasons[r].wrong)
			return session_fail(c, PMUCLIENT_EINVAL,
					    "event %zu, %s", i,
					    reasons[r].text);
	return 0;
}

int ebb_attrs_take(struct pmuclient *c,
		   const struct pmuclient_ebb_attr *const *attrs, size_t n,
		   struct pmuclient_ebb_attr *ret)
{
	int err = 0;

	if (n < 1 || n > EBB_MAX_EVENTS)
		return session_fail(c, PMUCLIENT_EINVAL,
				    "%zu events: a group has 1 to %d", n,
				    EBB_MAX_EVENTS);
	for (size_t i = 0; !err && i < n; i++) {
		err = sized_take(c, "attr", attrs[i], sizeof(*ret), &ret[i]);
		if (!err)
			err = check_attr(c, i, &ret[i]);
	}
	return err;
}
