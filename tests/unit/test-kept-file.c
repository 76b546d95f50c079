/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/kept-file.c: what is known of a run is written whole or not at
 * all, however the host takes it.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "server/kept-file.h"
#include "wire/unpack.h"

/* What the host does instead, once: of how many bytes, or an error. */
static struct {
	int write_error, read_error, rename_error, close_error;
	size_t most; /* bytes of a read or a write, 0: all */
	bool no_memory;
	unsigned writes, reads;
	bool is_inherited; /* by a program that is started meanwhile */
} host;

ssize_t __wrap_write(int fd, const void *bytes, size_t len);
ssize_t __real_write(int fd, const void *bytes, size_t len);
ssize_t __wrap_read(int fd, void *bytes, size_t len);
ssize_t __real_read(int fd, void *bytes, size_t len);
int __wrap_renameat(int from, const char *old, int to, const char *name);
int __real_renameat(int from, const char *old, int to, const char *name);
int __wrap_close(int fd);
int __real_close(int fd);
void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);

static bool fails(int *error)
{
	if (!*error)
		return false;
	errno = *error;
	*error = 0;
	return true;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	host.writes++;
	if (!(fcntl(fd, F_GETFD) & FD_CLOEXEC))
		host.is_inherited = true;
	if (fails(&host.write_error))
		return -1;
	return __real_write(fd, bytes,
			    host.most && host.most < len ? host.most : len);
}

ssize_t __wrap_read(int fd, void *bytes, size_t len)
{
	host.reads++;
	if (!(fcntl(fd, F_GETFD) & FD_CLOEXEC))
		host.is_inherited = true;
	if (fails(&host.read_error))
		return -1;
	return __real_read(fd, bytes,
			   host.most && host.most < len ? host.most : len);
}

int __wrap_renameat(int from, const char *old, int to, const char *name)
{
	return fails(&host.rename_error) ? -1
					 : __real_renameat(from, old, to, name);
}

int __wrap_close(int fd)
{
	bool failed = fails(&host.close_error);

	return __real_close(fd) || failed ? -1 : 0;
}

void *__wrap_malloc(size_t size)
{
	return host.no_memory ? NULL : __real_malloc(size);
}

static char folder[] = "/tmp/test-kept-file-XXXXXX";
static int dir;

static void setup(void)
{
	memset(&host, 0, sizeof(host));
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(folder)));
	dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	PREPARING(ck_assert_int_ge(dir, 0));
}

static void teardown(void)
{
	memset(&host, 0, sizeof(host));
	kept_unwrite(dir);
	close(dir);
	ck_assert_int_eq(rmdir(folder), 0); /* nothing is left */
}

static bool write_run(const char *id)
{
	Pmu__Internal__KeptRun run = PMU__INTERNAL__KEPT_RUN__INIT;
	Pmu__Internal__KeptPlace begin = PMU__INTERNAL__KEPT_PLACE__INIT;
	Pmu__V1__MachineInfo info = PMU__V1__MACHINE_INFO__INIT;
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;

	info.id = (char *)id;
	info.config = &config;
	info.recording = &recording;
	run.machine = &info;
	run.begin = &begin;
	return kept_write(dir, &run);
}

static void holds(const char *id)
{
	const char *why;
	Pmu__Internal__KeptRun *run = kept_read(dir, &why);

	ck_assert_msg(run, "%s", why);
	ck_assert_str_eq(run->machine->id, id);
	wire_unpack_free(&run->base);
}

TEST(what_was_written_is_read)
{
	ck_assert(write_run("m1"));
	ck_assert_uint_eq(host.writes, 1);
	holds("m1");
	ck_assert_uint_eq(host.reads, 2); /* and its end */
	ck_assert(write_run("m2"));
	holds("m2");
	ck_assert(!host.is_inherited);
	/* for nobody else to read */
	ck_assert_int_eq(faccessat(dir, "about.part", F_OK, 0), -1);
}

TEST(it_may_go_in_pieces)
{
	host.most = 3;
	ck_assert(write_run("a machine of a long name"));
	ck_assert_uint_gt(host.writes, 8);
	holds("a machine of a long name");
	ck_assert_uint_gt(host.reads, 8);
}

TEST(a_signal_is_no_error)
{
	host.write_error = EINTR;
	ck_assert(write_run("m1"));
	ck_assert_uint_eq(host.writes, 2);
	holds("m1");
}

static int *const errors[] = { &host.write_error, &host.close_error,
			       &host.rename_error };

TEST_ROWS(what_cannot_be_written_leaves_what_was, errors)
{
	ck_assert(write_run("before"));
	*errors[_i] = ENOSPC;
	ck_assert(!write_run("after"));
	ck_assert_int_eq(*errors[_i], 0);
	holds("before");
	ck_assert(write_run("at last"));
	holds("at last");
}

TEST(without_memory_nothing_is_written_nor_read)
{
	Pmu__Internal__KeptRun *run;
	const char *why = NULL;
	bool written;

	ck_assert(write_run("before"));
	host.no_memory = true; /* Check would need some, too */
	written = write_run("after");
	run = kept_read(dir, &why);
	host.no_memory = false;
	ck_assert(!written);
	ck_assert_ptr_null(run);
	ck_assert_str_eq(why, "out of memory");
	holds("before");
}

TEST(what_cannot_be_read_says_why)
{
	const char *why = NULL;

	ck_assert_ptr_null(kept_read(dir, &why));
	ck_assert_str_eq(why, strerror(ENOENT));
	ck_assert(write_run("m1"));
	host.read_error = EIO;
	ck_assert_ptr_null(kept_read(dir, &why));
	ck_assert_str_eq(why, strerror(EIO));
	holds("m1");
}

/* Whoever made one in our folder would have its file read by us. */
TEST(what_is_known_is_not_read_through_a_link)
{
	const char *why = NULL;

	ck_assert(write_run("m1"));
	ck_assert_int_eq(renameat(dir, "about", dir, "other"), 0);
	ck_assert_int_eq(symlinkat("other", dir, "about"), 0);
	ck_assert_ptr_null(kept_read(dir, &why));
	ck_assert_str_eq(why, strerror(ELOOP));
	ck_assert_int_eq(renameat(dir, "other", dir, "about"), 0);
	holds("m1");
}

SUITE("kept-file", .setup = setup, .teardown = teardown);
