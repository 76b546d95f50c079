/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts what a handler is told, and that nothing is missing: ebb-tally ADDRESS
 * IMAGE HOW PERIOD N. The machine runs on and arms again by itself, so call i
 * is at instruction i * PERIOD. HOW is how the handler is called: by poll()
 * and dispatch, by a thread beside which the program goes on, with a fork in
 * the middle, or frozen, by a thread and armed by the handler; or by whatever
 * there is, which may be calls. Or the machine is kept, and runs on behind
 * them. Or it forks in its last call and dies there, while the child lives
 * until its input ends.
 */
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmuclient/ebb-client.h>
#include <pmuclient/machine.h>

enum {
	COUNTER = 9,
	INSTRUCTIONS = 2 /* mhpmevent's selector */
};

struct tally {
	uint64_t period, n;
	bool frozen, any, abandons;
	_Atomic uint64_t calls;
	int err;
};

static struct pmuclient *client;

static void check(int err)
{
	if (err >= 0)
		return;
	fprintf(stderr, "ebb-tally: %s\n",
		client ? pmuclient_error(client) : "no memory");
	exit(1);
}

static void must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "ebb-tally: not so: %s\n", what);
	exit(1);
}

/* Returns in a child alone. */
static void abandon(void)
{
	pid_t pid = fork();

	if (pid == 0)
		return;
	printf("%d\n", (int)pid);
	fflush(stdout);
	raise(SIGKILL);
}

static void on_overflow(void *data, struct pmuclient_ebb *e,
			const struct pmuclient_ebb_call *call)
{
	struct tally *t = data;
	uint64_t i = t->calls + 1;

	if (i > t->n)
		return; /* told while it was ended */
	if (call->insn != i * t->period || call->counters != 1 << COUNTER ||
	    call->since != call->cycle) {
		fprintf(stderr,
			"ebb-tally: call %" PRIu64 " at instruction %" PRIu64
			"\n",
			i, call->insn);
		exit(1);
	}
	if (t->abandons && i == t->n)
		abandon();
	if (t->frozen && !t->err)
		t->err = i < t->n ? pmuclient_ebb_rearm(e, COUNTER, t->period)
				  : pmuclient_ebb_mask(e, true);
	t->calls = i;
}

static void prepare(const char *path, bool detach, char *ret_id)
{
	const struct pmuclient_config config = { .size = sizeof(config),
						 .detach = detach };

	static char bytes[1 << 20];
	struct pmuclient_image image = { .size = sizeof(image),
					 .bytes = bytes };
	FILE *f = fopen(path, "rb");

	must(f != NULL, "the image is there");
	image.len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	check(pmuclient_create(client, &config, ret_id));
	check(pmuclient_load(client, ret_id, &image, NULL));
	check(pmuclient_start(client, ret_id, true));
}

static struct pmuclient_ebb *open_group(const char *id, const struct tally *t)
{
	const struct pmuclient_ebb_config config = {
		.size = sizeof(config),
		.machine = id,
		.freezes = t->frozen,
		.reloads = !t->frozen,
		.transport = t->any ? PMUCLIENT_EBB_ANY : PMUCLIENT_EBB_RING,
	};
	const struct pmuclient_ebb_attr attr = {
		.size = sizeof(attr),
		.config = PMUCLIENT_EBB_EVENT | INSTRUCTIONS,
		.counter = COUNTER,
		.period = t->period,
		.pinned = true,
		.exclusive = true,
	};
	const struct pmuclient_ebb_attr *attrs[] = { &attr };
	struct pmuclient_ebb *e;

	check(pmuclient_ebb_open(client, &config, attrs, 1, &e));
	check(pmuclient_ebb_enable(e));
	check(pmuclient_ebb_mask(e, false));
	return e;
}

/*
 * Its counter has a whole period before it, and who asks for it, too, reads the
 * end of the file until it is given back.
 */
static void second_in_line(const char *id, struct pmuclient_ebb *first,
			   const struct tally *t)
{
	struct pmuclient_ebb *e = open_group(id, t);
	uint64_t value;

	check(pmuclient_ebb_value(first, COUNTER, &value));
	must(value == -t->period, "the real value is to be had");
	must(pmuclient_ebb_read(e, &value) == 0, "the second is not scheduled");
	check(pmuclient_ebb_disable(first));
	must(pmuclient_ebb_read(first, &value) == 0, "nor is who disables");
	check(pmuclient_ebb_enable(e));
	must(pmuclient_ebb_read(e, &value) == 8, "then the second is");
	check(pmuclient_ebb_close(e));
	check(pmuclient_ebb_enable(first));
	must(pmuclient_ebb_read(first, &value) == 8, "and the first again");
}

/* In an event loop. */
static void by_poll(struct pmuclient_ebb *e, struct tally *t, uint64_t n)
{
	struct pollfd fd = { .fd = pmuclient_ebb_fd(e), .events = POLLIN };

	while (t->calls < n) {
		must(poll(&fd, 1, -1) == 1, "poll() finds something");
		check(pmuclient_ebb_dispatch(e, 0));
	}
}

/* The connection is free for the program meanwhile. */
static void by_thread(struct pmuclient_ebb *e, struct tally *t, uint64_t n)
{
	uint64_t value, junk;

	must(pmuclient_ebb_start(e) == 0, "a thread is started");
	must(pmuclient_ebb_start(e) == -PMUCLIENT_ESTATE, "and one only");
	must(pmuclient_ebb_dispatch(e, 0) == -PMUCLIENT_ESTATE,
	     "it alone dispatches");
	while (t->calls < n) {
		check(pmuclient_ebb_value(e, COUNTER, &value));
		must(pmuclient_ebb_read(e, &junk) == 8, "it is scheduled");
	}
	must(pmuclient_ebb_stop(e) == 0, "the thread ended well");
	must(pmuclient_ebb_stop(e) == 0, "and may be ended twice");
}

/* All of it is dead in a child. */
static void be_child(struct pmuclient_ebb *e)
{
	uint64_t value;
	const int all[] = {
		pmuclient_ebb_enable(e),
		pmuclient_ebb_disable(e),
		pmuclient_ebb_read(e, &value),
		pmuclient_ebb_value(e, COUNTER, &value),
		pmuclient_ebb_mask(e, true),
		pmuclient_ebb_rearm(e, COUNTER, 1),
		pmuclient_ebb_dispatch(e, 0),
		pmuclient_ebb_start(e),
		pmuclient_ebb_stop(e),
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		must(all[i] == -PMUCLIENT_ESTATE, "a child is refused");
	must(strstr(pmuclient_error(client), "the parent's") != NULL,
	     "and is told why");
	must(pmuclient_ebb_close(e) == 0, "a child lets go of its copy");
	pmuclient_free(client);
	_exit(0);
}

static void by_fork(struct pmuclient_ebb *e, struct tally *t, uint64_t n)
{
	int status;
	pid_t pid;

	by_poll(e, t, n / 2);
	pid = fork();
	if (pid == 0)
		be_child(e);
	must(waitpid(pid, &status, 0) == pid && status == 0,
	     "the child ends well");
	by_poll(e, t, n);
}

static void by_dispatch(struct pmuclient_ebb *e, struct tally *t, uint64_t n)
{
	while (t->calls < n)
		check(pmuclient_ebb_dispatch(e, -1));
}

/* What the child has from the parent's handler is refused, and not sent. */
static void by_abandoning(struct pmuclient_ebb *e, struct tally *t, uint64_t n)
{
	struct pollfd fd = { .fd = pmuclient_ebb_fd(e), .events = POLLIN };
	char byte;
	int err;

	do {
		must(poll(&fd, 1, -1) == 1, "poll() finds something");
		err = pmuclient_ebb_dispatch(e, 0);
	} while (err >= 0 && t->calls < n);
	must(err == -PMUCLIENT_ESTATE, "what the child dispatched is refused");
	must(pmuclient_ebb_fd(e) == -1, "it has no descriptor");
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	_exit(0);
}

static const struct way {
	const char *name;
	void (*go)(struct pmuclient_ebb *e, struct tally *t, uint64_t n);
	bool frozen, any, abandons, keeps;
} ways[] = {
	{ "poll", by_poll },
	{ "keep", by_poll, .keeps = true },
	{ "thread", by_thread },
	{ "fork", by_fork },
	{ "frozen", by_thread, .frozen = true },
	{ "any", by_dispatch, .any = true },
	{ "abandon", by_abandoning, .frozen = true, .abandons = true },
};

static void tally(const char *path, const struct way *way, struct tally *t)
{
	char id[PMUCLIENT_ID];
	struct pmuclient_ebb *e;

	prepare(path, way->abandons || way->keeps, id);
	t->frozen = way->frozen;
	t->any = way->any;
	t->abandons = way->abandons;
	e = open_group(id, t);
	second_in_line(id, e, t);
	pmuclient_ebb_set_callback(e, on_overflow, t);
	check(pmuclient_resume(client, id));
	way->go(e, t, t->n);
	must(t->err == 0, "the handler's own calls succeed");
	check(pmuclient_ebb_close(e));
	printf("%" PRIu64 " calls\n", t->calls);
}

int main(int argc, char **argv)
{
	struct tally t = { 0 };

	if (argc != 6) {
		fprintf(stderr, "usage: %s ADDRESS IMAGE HOW PERIOD N\n",
			argv[0]);
		return 2;
	}
	t.period = strtoull(argv[4], NULL, 0);
	t.n = strtoull(argv[5], NULL, 0);
	check(pmuclient_connect(&client, argv[1]));
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(argv[3], ways[i].name))
			tally(argv[2], &ways[i], &t);
	pmuclient_free(client);
	return t.calls == t.n ? 0 : 1;
}
