/* SPDX-License-Identifier: BSD-2-Clause */
/* An event that a request names is looked up in what the settings offer. */
#include "machine-event.h"

#include "owners.h"

bool event_is_there(const struct machine *m, enum pmu_event event,
		    enum error_part part, const char *what, struct error *e)
{
	return settings_countable(&m->cfg->settings) >> event & 1 ||
	       error_set(e, ERROR_INVALID, AT(part, "BAD_VALUE"),
			 "%s: this machine does not count '%s' (settings %s)",
			 what, pmu_event_desc(event)->name,
			 settings_of_event(event));
}
