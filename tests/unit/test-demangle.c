/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of C++ and Rust, with the c++filt that there is, and with none. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "captured.h"
#include "trace/demangle.h"

static const struct name_row {
	const char *why, *name, *want;
} name_rows[] = {
	{ "C", "main", "main" },
	{ "C, as it may look", "_Zebra", "_Zebra" },
	{ "C++", "_ZN3foo3barEiPKc", "foo::bar" },
	{ "C++, an operator", "_ZN3foopLERKS_", "foo::operator+=" },
	{ "C++, more than one word", "_Znwm", "operator new" },
	{ "C++, a template", "_ZN3boxIiE3putEi", "box<int>::put" },
	{ "Rust, the older scheme", "_ZN4core3fmt5write17h0123456789abcdefE",
	  "core::fmt::write" },
	{ "Rust, the newer one", "_RNvCs1234_7mycrate4main", "mycrate::main" },
	{ "cut", "_ZN3foo3ba", "_ZN3foo3ba" },
	{ "what could be two lines", "_Z3foov\n_Z3barv", "_Z3foov\n_Z3barv" },
	{ "what could be two words", "_Z3foov _Z3barv", "_Z3foov _Z3barv" },
	{ "nothing", "", "" },
};

TEST_ROWS(names_are_as_their_authors_wrote_them, name_rows)
{
	const struct name_row *row = &name_rows[_i];

	for (unsigned times = 0; times < 2; times++)
		ck_assert_msg(!strcmp(demangle(row->name), row->want), "%s: %s",
			      row->why, demangle(row->name));
}

TEST(many_are_asked_for_one_after_the_other)
{
	char name[40], want[40];

	for (unsigned i = 100; i < 999; i++) {
		snprintf(name, sizeof(name), "_ZN3foo4f%uEv", i);
		snprintf(want, sizeof(want), "foo::f%u", i);
		ck_assert_str_eq(demangle(name), want);
	}
	ck_assert_ptr_null(demangle(NULL));
}

TEST(a_name_that_is_too_long_stays)
{
	static char name[5000] = "_Z4998";

	memset(name + 6, 'a', sizeof(name) - 7);
	ck_assert_ptr_eq(demangle(name), name);
	ck_assert_str_eq(demangle("_Z3foov"), "foo");
}

/* The one that open() would return. */
static int next_fd(void)
{
	int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

TEST(without_a_filter_names_stay_and_it_is_said_once)
{
	int free_fd, free_then;

	setenv("PATH", "/nonexistent", 1);
	capture();
	free_fd = next_fd();
	ck_assert_str_eq(demangle("_Z3foov"), "_Z3foov");
	ck_assert_str_eq(demangle("_Z3barv"), "_Z3barv");
	free_then = next_fd();
	ck_assert_str_eq(capture_end(),
			 "pmuctl: no c++filt answers: names of C++ and Rust "
			 "stay as compilers made them\n");
	ck_assert_int_eq(free_then, free_fd);
}

/* It is whatever PATH finds first. */
static const struct filter_row {
	const char *why, *script;
} filter_rows[] = {
	{ "ends at once", "#!/bin/sh\nexit 1\n" },
	{ "ends in a name", "#!/bin/sh\nread name\nprintf fo\n" },
};

TEST_ROWS(a_filter_that_fails_changes_nothing, filter_rows)
{
	char dir[] = "filter-XXXXXX", path[64];
	FILE *f;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/c++filt", dir);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(filter_rows[_i].script, f);
	fchmod(fileno(f), 0755);
	fclose(f);
	setenv("PATH", dir, 1);
	ck_assert_msg(!strcmp(demangle("_Z3foov"), "_Z3foov"), "%s",
		      filter_rows[_i].why);
	ck_assert_str_eq(demangle("_Z3barv"), "_Z3barv");
	unlink(path);
	rmdir(dir);
}

SUITE("demangle", .fork = true);
