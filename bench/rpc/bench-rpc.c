/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a client gets: bench-rpc ADDRESS IMAGE. The median time of a call that
 * pmud answers, of one that a running machine answers, and how many records of
 * a stored trace reach a client in a second. IMAGE makes many SBI calls. Beside
 * them "echo": the same system calls and as many bytes as pmud's call, between
 * two processes that do nothing else, which is what the host asks for a call.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <pmuclient/machine.h>

enum {
	CALLS = 20000,
	REQUEST = 56, /* bytes of a ListMachines on its way */
	ANSWER = 186  /* and back, with one machine */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check(struct pmuclient *c, int err)
{
	if (err >= 0)
		return;
	fprintf(stderr, "bench-rpc: %s\n",
		c ? pmuclient_error(c) : "no memory");
	exit(1);
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void print_times(const char *what, double *times)
{
	qsort(times, CALLS, sizeof(*times), by_size);
	printf("%s p50 %.1f us p99 %.1f us\n", what, times[CALLS / 2] * 1e6,
	       times[CALLS * 99 / 100] * 1e6);
}

/* Answers what comes through @fd as pmud's loop does, until it is closed. */
static void answer(int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	static char bytes[16384];
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
		_exit(1);
	while (epoll_wait(epoll, &event, 1, -1) == 1 &&
	       recv(fd, bytes, sizeof(bytes), 0) > 0 &&
	       send(fd, bytes, ANSWER, MSG_NOSIGNAL) == ANSWER)
		;
	_exit(0);
}

static void ask(int fd)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	static char bytes[65536];

	if (send(fd, bytes, REQUEST, MSG_NOSIGNAL) != REQUEST ||
	    poll(&ready, 1, -1) != 1 ||
	    recv(fd, bytes, sizeof(bytes), 0) != ANSWER) {
		perror("bench-rpc: echo");
		exit(1);
	}
}

static void time_echo(void)
{
	static double times[CALLS];
	int ends[2];
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ||
	    (child = fork()) < 0) {
		perror("bench-rpc: echo");
		exit(1);
	}
	if (!child) {
		close(ends[0]);
		answer(ends[1]);
	}
	close(ends[1]);
	for (unsigned i = 0; i < CALLS; i++) {
		double start = now();

		ask(ends[0]);
		times[i] = now() - start;
	}
	close(ends[0]);
	print_times("echo", times);
}

static void time_pmud(struct pmuclient *c)
{
	Pmu__V1__ListMachinesRequest req = PMU__V1__LIST_MACHINES_REQUEST__INIT;
	static double times[CALLS];

	for (unsigned i = 0; i < CALLS; i++) {
		double start = now();

		check(c, pmuclient_call(
				 c, "MachineService/ListMachines", &req.base,
				 &pmu__v1__list_machines_response__descriptor,
				 NULL));
		times[i] = now() - start;
	}
	print_times("pmud", times);
}

static void time_machine(struct pmuclient *c, const char *id)
{
	static double times[CALLS];
	uint64_t value;

	for (unsigned i = 0; i < CALLS; i++) {
		double start = now();

		check(c, pmuclient_csr_read(c, id, 0, "mcycle", &value));
		times[i] = now() - start;
	}
	print_times("machine", times);
}

static void *read_file(const char *path, size_t *ret_len)
{
	FILE *f = fopen(path, "rb");
	void *bytes = malloc(1 << 20);

	*ret_len = f && bytes ? fread(bytes, 1, 1 << 20, f) : 0;
	if (f)
		fclose(f);
	return bytes;
}

static struct pmuclient_stream *records(struct pmuclient *c, const char *id)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct pmuclient_stream *s;

	req.machine = (char *)id;
	req.from_start = true;
	check(c, pmuclient_open(c, "TraceService/StreamRecords", &req.base,
				&pmu__v1__stream_records_response__descriptor,
				&s));
	return s;
}

/* Counts records up to the one that says that the run is over. */
static unsigned long drain(struct pmuclient *c, struct pmuclient_stream *s)
{
	unsigned long n = 0;

	for (bool over = false; !over;) {
		ProtobufCMessage *msg;
		const Pmu__V1__StreamRecordsResponse *r;
		int got = pmuclient_next(s, -1, &msg);

		check(c, got);
		if (got == 0)
			break;
		r = (const Pmu__V1__StreamRecordsResponse *)msg;
		if (r->item_case ==
		    PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH) {
			const Pmu__V1__RecordBatch *b = r->batch;

			n += b->n_records;
			over = b->records[b->n_records - 1]->kind_case ==
			       PMU__V1__RECORD__KIND_STOP;
		}
		pmuclient_free_message(msg);
	}
	return n;
}

static void time_records(struct pmuclient *c, const char *id)
{
	struct pmuclient_stream *live = records(c, id);
	unsigned long n;
	double start;

	check(c, pmuclient_resume(c, id));
	start = now();
	n = drain(c, live);
	printf("live %lu records %.0f per second\n", n,
	       (double)n / (now() - start));
	pmuclient_close(live);
	live = records(c, id);
	start = now();
	n = drain(c, live);
	printf("stored %lu records %.0f per second\n", n,
	       (double)n / (now() - start));
	pmuclient_close(live);
}

/* With records of each trap and each call: what is streamed. */
static void create(struct pmuclient *c, char id[PMUCLIENT_ID])
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;
	const Pmu__V1__CreateMachineResponse *r;
	ProtobufCMessage *msg;

	recording.traps = recording.sbi_calls = true;
	req.recording = &recording;
	check(c, pmuclient_call(c, "MachineService/CreateMachine", &req.base,
				&pmu__v1__create_machine_response__descriptor,
				&msg));
	r = (const Pmu__V1__CreateMachineResponse *)msg;
	snprintf(id, PMUCLIENT_ID, "%s", r->machine->id);
	pmuclient_free_message(msg);
}

int main(int argc, char **argv)
{
	struct pmuclient_image image = { .size = sizeof(image) };
	char id[PMUCLIENT_ID];
	struct pmuclient *c = NULL;
	int err;

	if (argc != 3) {
		fprintf(stderr, "usage: bench-rpc ADDRESS IMAGE\n");
		return 2;
	}
	time_echo();
	err = pmuclient_connect(&c, argv[1]);
	check(c, err);
	image.bytes = read_file(argv[2], &image.len);
	create(c, id);
	check(c, pmuclient_load(c, id, &image, NULL));
	check(c, pmuclient_start(c, id, true));
	time_pmud(c);
	time_machine(c, id);
	time_records(c, id);
	pmuclient_free(c);
	return 0;
}
