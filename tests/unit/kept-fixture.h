/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pmud that keeps runs in a folder of the test's, and a machine of its own;
 * for one C file of a program.
 */
#ifndef TESTS_KEPT_FIXTURE_H
#define TESTS_KEPT_FIXTURE_H

#include "hosted-fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/kept-file.h"
#include "server/kept-runs.h"
#include "unit.h"
#include "wire/record.h"
#include "wire/unpack.h"

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name

static char folder[] = "/tmp/test-kept-XXXXXX";
static struct hosted *m;

/* A pmud that keeps runs in the folder. */
static inline void keep(void)
{
	config.state_dir = folder;
	ck_assert_int_eq(kept_lock(&pmud), 0);
	kept_load(&pmud);
}

static inline void setup(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(folder)));
	fixture_begin();
	PREPARING(keep());
	m = fixture_machine(&alice, true);
}

static inline int take_away(const char *path, const struct stat *st, int type,
			    struct FTW *place)
{
	return remove(path);
}

static inline void teardown(void)
{
	fixture_end();
	ck_assert_int_eq(nftw(folder, take_away, 8, FTW_PHYS | FTW_DEPTH), 0);
}

/* It ends, and another one comes. */
static inline void another_pmud(void)
{
	daemon_fini(&pmud);
	pmud = (struct daemon){ .config = &config,
				.loop = pmud.loop,
				.quota = pmud.quota };
	PREPARING(ck_assert_int_eq(daemon_init(&pmud), 0));
	PREPARING(keep());
	m = SLIST_FIRST(&pmud.machines);
}

static inline void notice(Pmu__V1__MachineState state)
{
	Pmu__V1__MachineInfo info = PMU__V1__MACHINE_INFO__INIT;

	info.state = state;
	info.insn = 123;
	info.detail = (char *)"as it said";
	info.exit_code = 7;
	child->cfg.ops->notice(m, &info);
}

static inline void header(void)
{
	Pmu__Internal__SetRecordingResponse answer =
		PMU__INTERNAL__SET_RECORDING_RESPONSE__INIT;
	Pmu__V1__Header h = PMU__V1__HEADER__INIT;

	h.xlen = 32;
	answer.header = &h;
	fixture_answer(&answer.base);
}

/* It runs, and is kept. */
static inline void run(void)
{
	notice(STATE(RUNNING));
	header();
}

static inline void record(bool input)
{
	Pmu__V1__ConsoleOutput output = PMU__V1__CONSOLE_OUTPUT__INIT;
	Pmu__V1__Input in = PMU__V1__INPUT__INIT;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	uint8_t bytes[64];
	bool full = false;
	size_t n;

	output.data = (ProtobufCBinaryData){ 5, (uint8_t *)"hello" };
	if (input) {
		r.kind_case = PMU__V1__RECORD__KIND_INPUT;
		r.input = &in;
	} else {
		r.kind_case = PMU__V1__RECORD__KIND_CONSOLE_OUTPUT;
		r.console_output = &output;
	}
	n = record_pack(RECORD_TAG_RECORD, &r.base, bytes);
	ck_assert_int_eq(child->cfg.ops->records(m, bytes, n, &full),
			 (ssize_t)n);
}

static inline const char *path(const char *name)
{
	static char ret[128];

	snprintf(ret, sizeof(ret), "%s/%s", folder, name);
	return ret;
}

/* Its size, or -1. */
static inline long long size_of(const char *name)
{
	struct stat st;

	return lstat(path(name), &st) ? -1 : (long long)st.st_size;
}

static inline void append(const char *name, const char *bytes)
{
	FILE *f = fopen(path(name), "a");

	ck_assert_ptr_nonnull(f);
	fputs(bytes, f);
	fclose(f);
}

#endif
