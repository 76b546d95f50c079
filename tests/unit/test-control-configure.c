/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A configuration that comes to nothing: by what it asks for, or by what the
 * host denies. No machine is left of it.
 */
#include <errno.h>
#include <sys/random.h>

#include "control/control-inside.h"
#include "control/control.h"
#include "unit.h"

ssize_t __wrap_getrandom(void *bytes, size_t n, unsigned flags);

static bool allowed;

/* Nothing random is to be had. */
ssize_t __wrap_getrandom(void *bytes, size_t n, unsigned flags)
{
	errno = EINTR;
	return -1;
}

static bool limit(uint64_t bytes)
{
	return allowed;
}

static bool sandbox(void)
{
	return allowed;
}

static const struct refused_row {
	const char *text;
	struct control_config cfg;
	int start_mode;
	const char *seed;
	enum error_kind kind;
} refused_rows[] = {
	{ "start_mode: must be S or M, not 3",
	  { .limit = NULL },
	  3,
	  "none",
	  ERROR_INVALID },
	{ "start_mode: must be S or M, not -1",
	  { .limit = NULL },
	  -1,
	  "none",
	  ERROR_INVALID },
	{ "setting seed: the host gave no random bytes",
	  { .limit = NULL },
	  1,
	  "random",
	  ERROR_HOST },
	{ "the host cannot limit the memory of the machine's process",
	  { .limit = limit },
	  1,
	  "none",
	  ERROR_HOST },
	{ "the sandbox cannot be set up",
	  { .sandbox = sandbox },
	  1,
	  "none",
	  ERROR_HOST },
};

static enum handled configure(struct control *c, const struct refused_row *row,
			      const char *seed, struct error *e)
{
	Pmu__Internal__ConfigureRequest q =
		PMU__INTERNAL__CONFIGURE_REQUEST__INIT;
	Pmu__Internal__ConfigureResponse answer =
		PMU__INTERNAL__CONFIGURE_RESPONSE__INIT;
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Setting setting = PMU__V1__SETTING__INIT, *list = &setting;

	setting.key = (char *)"rng-seed";
	setting.value = (char *)seed;
	config.settings = &list;
	config.n_settings = 1;
	config.harts = 1;
	config.start_mode = (Pmu__V1__StartMode)row->start_mode;
	q.config = &config;
	return control_configure(c, &q, &answer, e);
}

TEST_ROWS(what_cannot_be_configured_is_no_machine, refused_rows)
{
	const struct refused_row *row = &refused_rows[_i];
	struct control c = { .cfg = &row->cfg };
	struct error e = { 0 };

	trace_init(&c.trace, NULL, NULL);
	allowed = false;
	ck_assert_int_eq(configure(&c, row, row->seed, &e), HANDLED_FAILED);
	ck_assert_str_eq(e.text, row->text);
	ck_assert_int_eq(e.kind, row->kind);
	ck_assert_ptr_null(c.machine);
	trace_free(&c.trace);
}

SUITE("control-configure");
