/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When the machine's process sleeps, by a clock that the test holds: it waits
 * awake for a client that is about to answer, and not for longer than sleeping
 * and waking takes, nor than its slice lasts.
 */
#include <sys/mman.h>
#include <time.h>

#include "control-ebb.h"
#include "control/host-pacer.h"
#include "core/ebb-session.h"

uint64_t __real_host_now(void);
uint64_t __wrap_host_now(void);
int __real_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *time,
		 const sigset_t *mask);
int __wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *time,
		 const sigset_t *mask);

/* Of the test and the machine's process. */
struct seen {
	_Atomic uint64_t now; /* 0: the host's */
	_Atomic unsigned looks, polls, sleeps;
};
static struct seen *seen;

uint64_t __wrap_host_now(void)
{
	uint64_t now = seen->now;

	seen->looks++;
	return now ? now : __real_host_now();
}

int __wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *time,
		 const sigset_t *mask)
{
	seen->polls++;
	if (!time)
		seen->sleeps++;
	return __real_ppoll(fds, n, time, mask);
}

static void setup(void)
{
	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(seen, MAP_FAILED);
}

static void end(void)
{
	seen->now = 0;
	peer_end(&p);
	munmap(seen, sizeof(*seen));
}

/* Whether it comes to be more than @than, which takes no time. */
static bool grows(_Atomic unsigned *what, unsigned than)
{
	const struct timespec nap = { .tv_nsec = 1000000 };

	for (unsigned i = 0; *what <= than && i < 20000; i++)
		nanosleep(&nap, NULL);
	return *what > than;
}

/*
 * A machine that runs and stands whenever four instructions are over, as it
 * does now: its process has begun to wait.
 */
static void standing(const char *settings, struct ebb_said *ret)
{
	Pmu__V1__OpenEbbRequest q = PMU__V1__OPEN_EBB_REQUEST__INIT;
	Pmu__V1__ResumeMachineRequest resume =
		PMU__V1__RESUME_MACHINE_REQUEST__INIT;

	paused(settings);
	q.freezes = true;
	q.reloads = true;
	ck_assert_uint_eq(peer_call(&p, CALL(OpenEbb), &q.base)->code, OK);
	ck_assert_uint_eq(add(1, 9, 4), OK);
	ck_assert_uint_eq(act(1, WHAT(ENABLE)), OK);
	attach(1);
	ck_assert_uint_eq(act(1, WHAT(UNMASK)), OK);
	seen->now = __real_host_now();
	peer_send(&p, CALL(ResumeMachine), &resume.base); /* answered later */
	hear(ret);
	ck_assert(grows(&seen->looks, seen->looks + 100));
}

TEST(a_process_without_work_sleeps)
{
	unsigned sleeps;

	paused("");
	ck_assert(grows(&seen->sleeps, 0));
	ck_assert_uint_eq(opened(0), 1);
	sleeps = seen->sleeps;
	attach(1);
	ck_assert(grows(&seen->sleeps, sleeps));
	detach();
}

TEST(a_client_that_answers_in_time_finds_the_process_awake)
{
	struct ebb_said got;
	unsigned polls;

	standing("", &got);
	polls = seen->polls;
	for (unsigned i = 2; i < 12; i++) {
		ck_assert_uint_eq(got.kind, EBB_SAID_TOLD);
		wish(EBB_RETURN, 0, false);
		hear(&got);
	}
	ck_assert_uint_eq(got.insn, 44);
	ck_assert_uint_eq(seen->polls, polls);
	detach();
}

static const struct awake_row {
	const char *settings;
	unsigned ns;
} awake_rows[] = {
	{ "", 20000 },
	{ "host-slice=1000", 20000 },
	{ "host-slice=20", 20000 },
	{ "host-slice=19", 19000 },
	{ "host-slice=1", 1000 },
};

TEST_ROWS(a_process_is_awake_for_so_long, awake_rows)
{
	const struct awake_row *row = &awake_rows[_i];
	struct ebb_said got;
	unsigned polls;

	standing(row->settings, &got);
	polls = seen->polls;
	seen->now += row->ns - 1;
	ck_assert(grows(&seen->looks, seen->looks + 100));
	ck_assert_uint_eq(seen->polls, polls);
	seen->now++;
	ck_assert(grows(&seen->polls, polls));
	wish(EBB_RETURN, 0, false); /* which wakes it */
	hear(&got);
	ck_assert_uint_eq(got.insn, 8);
	detach();
}

SUITE("control-awake", .setup = setup, .teardown = end);
