/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmud-machine itself: its sandbox, its trace through the ring, its ends.
 * Arguments: the program, then guests.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/unit.h"
#include "guest-image.h"
#include "machine-fixture.h"
#include "machine-peer.h"

static const char *program;
static char **paths;
static int n_paths;
static struct guest guest;
static struct peer p;

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name

static const char *settings(void)
{
	return guest.rv32 ? "xlen=32 max-cycles=50M" : "max-cycles=50M";
}

static unsigned harts(void)
{
	uint64_t n = 1;

	guest_expects(&guest, "harts", &n);
	return (unsigned)n;
}

static void load(const char *path)
{
	guest_read(&guest, path);
	peer_start(&p, program);
	ck_assert_uint_eq(peer_configure(&p, harts(), !guest_is(&guest, "sbi"),
					 settings()),
			  0);
	ck_assert_uint_eq(peer_load(&p, guest.bytes, guest.size, 0), 0);
}

/* The same run in this process. */
static void play(struct fixture *f)
{
	fixture_play(f,
		     &(struct fixture_config){
			     .harts = harts(),
			     .m_mode = !guest_is(&guest, "sbi"),
			     .settings = settings(),
			     .image = guest.bytes,
			     .image_size = guest.size,
		     },
		     100000);
}

TEST_TIMES(a_run_in_a_process_leaves_the_same_trace, n_paths)
{
	struct fixture f;
	int status;

	load(paths[_i]);
	ck_assert_uint_eq(peer_start_machine(&p, false), 0);
	peer_wait_state(&p, STATE(ENDED));
	peer_drain(&p);
	play(&f);
	ck_assert_uint_eq(buf_len(&p.trace), buf_len(&f.bytes));
	ck_assert(!memcmp(buf_head(&p.trace), buf_head(&f.bytes),
			  buf_len(&f.bytes)));
	fixture_fini(&f);
	status = peer_end(&p);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	guest_free(&guest);
}

TEST(a_process_may_be_killed)
{
	int status;

	load(paths[0]);
	ck_assert_uint_eq(peer_start_machine(&p, true), 0);
	kill(p.pid, SIGKILL);
	status = peer_end(&p);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	guest_free(&guest);
}

/* The number behind @key in /proc/PID/status. */
static long status_of(pid_t pid, const char *key)
{
	char path[64], line[256];
	long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			value = strtol(line + strlen(key) + 1, NULL, 10);
	fclose(f);
	return value;
}

/* Nothing was sent to it: it has read nothing when its filter stands. */
TEST(a_first_filter_stands_before_anything_is_read)
{
#ifdef __SANITIZE_ADDRESS__
	const long filtered = 0;
#else
	const long filtered = 2;
#endif
	peer_start(&p, program);
	for (int i = 0; i < 6000; i++) {
		if (status_of(p.pid, "Seccomp:") == filtered)
			break;
		usleep(10000);
	}
	ck_assert_int_eq(status_of(p.pid, "Seccomp:"), filtered);
#ifndef __SANITIZE_ADDRESS__
	ck_assert_int_eq(status_of(p.pid, "Seccomp_filters:"), 1);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), 0);
	ck_assert_int_eq(status_of(p.pid, "Seccomp_filters:"), 2);
#endif
	peer_end(&p);
}

#ifndef __SANITIZE_ADDRESS__
/* The number of the resource's line in /proc/PID/limits; -1: unlimited. */
static long limit_of(pid_t pid, const char *what)
{
	char path[64], line[256];
	long value = -2;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/limits", (int)pid);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, what, strlen(what)) &&
		    sscanf(line + strlen(what), "%ld", &value) != 1)
			value = -1;
	fclose(f);
	return value;
}

static const struct limit_row {
	const char *resource;
	long want;
} limit_rows[] = {
	{ "Max core file size", 0 },
	{ "Max file size", 0 },
	{ "Max locked memory", 0 },
	/* 8 of its own, 32 sessions, the rings of one that is attached */
	{ "Max open files", 8 + 32 + 3 },
	/* 4 MiB for the guest and for an image, two engines of 64 MiB */
	{ "Max address space", 392L << 20 },
};

TEST_ROWS(the_kernel_holds_a_machine_to_its_limits, limit_rows)
{
	const struct limit_row *row = &limit_rows[_i];

	peer_start(&p, program);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), 0);
	ck_assert_msg(limit_of(p.pid, row->resource) == row->want, "%s: %ld",
		      row->resource, limit_of(p.pid, row->resource));
	peer_end(&p);
}
#endif

TEST(a_machine_is_in_its_sandbox_before_an_image_comes)
{
	peer_start(&p, program);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), 0);
#ifndef __SANITIZE_ADDRESS__
	ck_assert_int_eq(status_of(p.pid, "Seccomp:"), 2);
	ck_assert_int_eq(status_of(p.pid, "NoNewPrivs:"), 1);
#endif
	ck_assert_int_eq(status_of(p.pid, "Threads:"), 1);
	peer_end(&p);
}

static const char refused[] =
	"pmud-machine is started by pmud, not by people\n";

/* It refuses to be started by hand, but for its version. */
static const struct hand_row {
	const char *args[2];
	int status;
	const char *out, *err; /* how each begins; "": empty */
} hand_rows[] = {
	{ { NULL }, 2, "", refused },
	{ { "--help" }, 2, "", refused },
	{ { "--version", "--version" }, 2, "", refused },
	{ { "--version" }, 0, "pmud-machine with unicorn ", "" },
};

/* What stands in @fd from its begin, and all of it if @want is empty. */
static void begins(int fd, const char *want)
{
	char got[200] = "";

	ck_assert_int_ge(pread(fd, got, sizeof(got) - 1, 0), 0);
	ck_assert_msg(*want ? !strncmp(got, want, strlen(want)) : !*got, "%s",
		      got);
	close(fd);
}

TEST_ROWS(without_its_descriptors_it_does_not_start, hand_rows)
{
	const struct hand_row *row = &hand_rows[_i];
	int out = memfd_create("out", 0), err = memfd_create("err", 0);
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		dup2(out, 1);
		dup2(err, 2);
		closefrom(3);
		execl(program, program, row->args[0], row->args[1],
		      (char *)NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), row->status);
	begins(out, row->out);
	begins(err, row->err);
}

static void begin(int argc, char **argv)
{
	program = argv[1];
	paths = argv + 2;
	n_paths = argc - 2;
}

SUITE("process", .timeout = 120, .begin = begin);
