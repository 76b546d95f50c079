/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop behind `run` and `machine attach`. Signals that ask to end come in
 * by a descriptor, so that files and the terminal are left in order.
 */
#include "follow.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "end-signals.h"
#include "pmud.h"
#include "text/exit-codes.h"
#include "progress.h"
#include "text/now.h"
#include "text/report.h"
#include "text/terminal.h"
#include "trace/trace-out.h"
#include "text/tty.h"
#include "wait.h"

enum {
	RETRY_MS = 20, /* until input is offered again that was too much */
};

struct follow {
	struct follow_config cfg;
	struct pmuclient *client;
	/* NULL: ended */
	struct pmuclient_stream *console, *serial, *records, *tap, *watch;
	Pmu__V1__WatchMachineResponse *last; /* what the machine is */
	struct end_signals signals;
	bool terminal, reading, left;
	struct progress *progress; /* or NULL */
	struct terminal_keys keys;
	struct terminal_input input; /* not yet taken by the machine */
	bool eof_wanted;	     /* to be told to the machine */
	struct trace_out trace;	     /* if it is wanted */
	int code;		     /* not 0: a failure */
};

static int open_stream(struct follow *f, const char *method,
		       const ProtobufCMessage *req,
		       const ProtobufCMessageDescriptor *response,
		       struct pmuclient_stream **ret)
{
	int err = pmuclient_open(f->client, method, req, response, ret);

	return err ? pmud_fail(f->cfg.pmud, err) : EXIT_OK;
}

/* It has begun when its first message is there, and misses nothing then. */
static int begin_tap(struct follow *f)
{
	Pmu__V1__StreamRecordsResponse *r = NULL;
	int n = pmuclient_next(f->tap, pmud_timeout(f->cfg.pmud),
			       (ProtobufCMessage **)&r);
	int code = EXIT_OK;

	if (n < 0)
		return pmud_fail(f->cfg.pmud, n);
	if (n)
		code = f->cfg.tap->take(f->cfg.tap->arg, r);
	answer_free(r);
	return code;
}

static int open_tap(struct follow *f)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	int code;

	if (!f->cfg.tap)
		return EXIT_OK;
	req.machine = (char *)f->cfg.machine;
	req.filter = (Pmu__V1__RecordFilter *)f->cfg.tap->filter;
	req.drop = f->cfg.tap->drop;
	code = open_stream(f, METHOD_PATH(StreamRecords), &req.base,
			   METHOD_ANSWER(StreamRecords), &f->tap);
	return code ? code : begin_tap(f);
}

static int open_streams(struct follow *f)
{
	Pmu__V1__StreamRecordsRequest records =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	Pmu__V1__ReadConsoleRequest console =
		PMU__V1__READ_CONSOLE_REQUEST__INIT;
	Pmu__V1__WatchMachineRequest watch =
		PMU__V1__WATCH_MACHINE_REQUEST__INIT;
	int code = EXIT_OK;

	records.machine = console.machine = watch.machine =
		(char *)f->cfg.machine;
	records.from_start = true;
	if (f->cfg.trace)
		code = open_stream(f, METHOD_PATH(StreamRecords), &records.base,
				   METHOD_ANSWER(StreamRecords), &f->records);
	if (!code)
		code = open_tap(f);
	if (!code)
		code = open_stream(f, METHOD_PATH(ReadConsole), &console.base,
				   METHOD_ANSWER(ReadConsole), &f->console);
	console.port = 1;
	if (!code && f->cfg.serial)
		code = open_stream(f, METHOD_PATH(ReadConsole), &console.base,
				   METHOD_ANSWER(ReadConsole), &f->serial);
	if (!code)
		code = open_stream(f, METHOD_PATH(WatchMachine), &watch.base,
				   METHOD_ANSWER(WatchMachine), &f->watch);
	return code;
}

int follow_open(struct follow **ret, const struct follow_config *cfg)
{
	struct follow *f CLEANUP(follow) = calloc(1, sizeof(*f));
	int code;

	if (!f)
		return report_no_memory("output of the machine");
	f->cfg = *cfg;
	f->trace = (struct trace_out){
		.file = cfg->trace,
		.path = cfg->trace_path,
		.filter = cfg->filter,
	};
	f->client = pmud_client(cfg->pmud);
	f->reading = cfg->input;
	f->eof_wanted = !cfg->input;
	code = end_signals_open(&f->signals, false);
	if (code)
		return code;
	if (cfg->progress)
		f->progress = progress_new(cfg->pmud, cfg->machine);
	code = open_streams(f);
	if (code)
		return code;
	*ret = pointer_take(&f);
	return EXIT_OK;
}

void follow_close(struct follow *f)
{
	if (!f)
		return;
	pmuclient_close(f->console);
	pmuclient_close(f->serial);
	pmuclient_close(f->records);
	pmuclient_close(f->tap);
	pmuclient_close(f->watch);
	answer_free(f->last);
	progress_free(f->progress);
	end_signals_close(&f->signals);
	free(f);
}

/* What the streams bring */

static void take_console(struct follow *f, ProtobufCMessage *msg)
{
	const Pmu__V1__ReadConsoleResponse *r =
		(const Pmu__V1__ReadConsoleResponse *)msg;

	progress_output(f->progress, r->data.data, r->data.len);
	if (fwrite(r->data.data, 1, r->data.len, stdout) != r->data.len ||
	    fflush(stdout))
		f->code = EXIT_FAILED; /* that is said as the command ends */
}

static void take_serial(struct follow *f, ProtobufCMessage *msg)
{
	const Pmu__V1__ReadConsoleResponse *r =
		(const Pmu__V1__ReadConsoleResponse *)msg;

	if (fwrite(r->data.data, 1, r->data.len, f->cfg.serial) ==
		    r->data.len &&
	    !fflush(f->cfg.serial))
		return;
	f->code = EXIT_FAILED; /* out_file_close() says why */
}

static void take_records(struct follow *f, ProtobufCMessage *msg)
{
	const Pmu__V1__StreamRecordsResponse *r =
		(const Pmu__V1__StreamRecordsResponse *)msg;
	bool lost = r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST;

	if (lost)
		report_error("%s: %" PRIu64 " records are lost",
			     f->cfg.trace_path, r->lost);
	if (lost || !trace_out_write(&f->trace, r))
		f->code = EXIT_FAILED;
}

static void take_tap(struct follow *f, ProtobufCMessage *msg)
{
	f->code = f->cfg.tap->take(f->cfg.tap->arg,
				   (Pmu__V1__StreamRecordsResponse *)msg);
}

/* The user sees nothing move: why, and that it goes on. */
static void report_held(const Pmu__V1__MachineInfo *was,
			const Pmu__V1__MachineInfo *is)
{
	const char *before = was ? was->held : "";

	if (*is->held && strcmp(is->held, before) != 0)
		report_note("the machine stands still: %s", is->held);
	else if (*before && !*is->held)
		report_note("the machine goes on");
}

/* What the machine notes of its harts, each note once. */
static void report_machine_notes(const Pmu__V1__MachineInfo *was,
				 const Pmu__V1__MachineInfo *is)
{
	for (size_t i = 0; i < is->n_notes; i++) {
		bool told = strcmp(is->detail, is->notes[i]) == 0;

		for (size_t j = 0; was && j < was->n_notes; j++)
			told |= strcmp(was->notes[j], is->notes[i]) == 0;
		if (!told)
			report_note("%s", is->notes[i]);
	}
}

static void take_state(struct follow *f, ProtobufCMessage *msg)
{
	const Pmu__V1__MachineInfo *was = f->last ? f->last->machine : NULL;

	report_held(was, ((Pmu__V1__WatchMachineResponse *)msg)->machine);
	report_machine_notes(was,
			     ((Pmu__V1__WatchMachineResponse *)msg)->machine);
	answer_free(f->last);
	f->last = (Pmu__V1__WatchMachineResponse *)msg;
}

/* All that has come on one stream; a stream that has ended well is closed. */
static void drain(struct follow *f, struct pmuclient_stream **stream,
		  void (*take)(struct follow *f, ProtobufCMessage *msg))
{
	ProtobufCMessage *msg;
	int n = 0;

	while (*stream && !f->code &&
	       (n = pmuclient_take(*stream, &msg)) == 1) {
		take(f, msg);
		if (take != take_state)
			answer_free(msg);
	}
	if (n == -PMUCLIENT_ETIMEOUT || f->code || !*stream)
		return;
	if (n < 0) {
		f->code = pmud_fail(f->cfg.pmud, n);
		return;
	}
	pmuclient_close(*stream);
	*stream = NULL;
}

static bool has_ended(const struct follow *f)
{
	const Pmu__V1__MachineInfo *m = f->last ? f->last->machine : NULL;

	return m && (m->state == PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED ||
		     m->state == PMU__V1__MACHINE_STATE__MACHINE_STATE_CRASHED);
}

/*
 * Whoever waits for a pause may let the machine go on; what was heard of it is
 * old then.
 */
static bool handle_pause(struct follow *f)
{
	if (f->code || !f->cfg.on_pause || !f->last ||
	    f->last->machine->state !=
		    PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED)
		return false;
	answer_free(f->last);
	f->last = NULL;
	tty_status_clear();
	f->code = f->cfg.on_pause(f->cfg.arg);
	return true;
}

/* True: there is no more to wait for. */
static bool drain_all(struct follow *f)
{
	do {
		drain(f, &f->console, take_console);
		drain(f, &f->serial, take_serial);
		drain(f, &f->records, take_records);
		drain(f, &f->tap, take_tap);
		drain(f, &f->watch, take_state);
		/* its calls may have brought the last there is to take */
	} while (handle_pause(f));
	if (!f->code && !f->watch && !has_ended(f)) {
		report_error("machine %s was deleted", f->cfg.machine);
		f->code = EXIT_FAILED;
	}
	return f->code || (has_ended(f) && !f->console && !f->serial &&
			   !f->records && !f->tap);
}

/* What goes to the guest */

/* Offers what was typed. Refused for want of room, it stays for later. */
static void offer_input(struct follow *f)
{
	Pmu__V1__WriteConsoleRequest req = PMU__V1__WRITE_CONSOLE_REQUEST__INIT;
	int err;

	if ((!f->input.n && !f->eof_wanted) || has_ended(f))
		return;
	req.machine = (char *)f->cfg.machine;
	req.data.data = f->input.bytes;
	req.data.len = f->input.n;
	req.eof = f->eof_wanted;
	err = pmuclient_call(f->client, METHOD_PATH(WriteConsole), &req.base,
			     METHOD_ANSWER(WriteConsole), NULL);
	if (!err) {
		f->input.n = 0;
		f->eof_wanted = false;
	} else if (err != -PMUCLIENT_ERPC) {
		f->code = pmud_fail(f->cfg.pmud, err);
	} else if (strcmp(pmuclient_status_name(pmuclient_status(f->client)),
			  "RESOURCE_EXHAUSTED") != 0) {
		/* it has ended meanwhile, as will be seen */
		f->input.n = 0;
		f->eof_wanted = f->reading = false;
	}
}

static void read_input(struct follow *f)
{
	uint8_t typed[TERMINAL_CHUNK];
	ssize_t n = read(STDIN_FILENO, typed, sizeof(typed));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		f->reading = false;
		f->eof_wanted = true;
	} else if (f->terminal) {
		f->left =
			terminal_filter(&f->keys, typed, (size_t)n, &f->input);
	} else {
		memcpy(f->input.bytes, typed, (size_t)n);
		f->input.n = (size_t)n;
	}
	offer_input(f);
}

/* Sleeps until something happens, and takes it in. */
static void wait_once(struct follow *f)
{
	bool waiting = f->input.n || f->eof_wanted;
	struct pollfd fds[] = {
		{ .fd = pmuclient_fd(f->client),
		  .events = pmuclient_events(f->client) },
		{ .fd = f->signals.fd, .events = POLLIN },
		{ .fd = f->reading && !waiting ? STDIN_FILENO : -1,
		  .events = POLLIN },
	};
	int err, timeout = timeout_sooner(progress_timeout(f->progress),
					  trace_out_timeout(&f->trace));

	timeout = timeout_sooner(timeout, waiting ? RETRY_MS : -1);
	if (poll(fds, 3, timeout) < 0)
		return;
	if (fds[0].revents) {
		err = pmuclient_pump(f->client, 0);
		if (err)
			f->code = pmud_fail(f->cfg.pmud, err);
	}
	if (fds[1].revents)
		f->code = end_signals_take(&f->signals);
	if (fds[2].revents && !f->code)
		read_input(f);
	else if (waiting && !f->code)
		offer_input(f);
	if (!trace_out_flush(&f->trace))
		f->code = EXIT_FAILED;
	if (!f->code)
		progress_show(f->progress);
}

static void take_rest_of(struct follow *f, struct pmuclient_stream *stream,
			 void (*take)(struct follow *f, ProtobufCMessage *msg))
{
	ProtobufCMessage *msg;

	f->code = EXIT_OK;
	while (stream && !f->code && pmuclient_take(stream, &msg) == 1) {
		take(f, msg);
		answer_free(msg);
	}
}

/* Whatever ended it, what came before is good. */
static void take_rest(struct follow *f)
{
	int code = f->code;

	take_rest_of(f, f->tap, take_tap);
	take_rest_of(f, f->records, take_records);
	if (code == EXIT_UNREACHABLE && f->records && !f->code)
		(void)trace_out_rest(&f->trace, pmud_stored_trace(f->cfg.pmud),
				     f->cfg.machine);
	if (code)
		f->code = code;
}

/* A crash leaves a trace that lacks its end. */
static enum follow_end outcome(const struct follow *f)
{
	if (f->code)
		return FOLLOW_CUT;
	if (f->left)
		return FOLLOW_LEFT;
	return f->last->machine->state ==
			       PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED
		       ? FOLLOW_ENDED
		       : FOLLOW_CUT;
}

int follow_run(struct follow *f, enum follow_end *ret_end)
{
	if (f->reading && isatty(STDIN_FILENO)) {
		f->terminal = true;
		terminal_raw(STDIN_FILENO);
	}
	offer_input(f);
	while (!drain_all(f) && !f->left)
		wait_once(f);
	take_rest(f);
	terminal_restore();
	tty_status_clear();
	*ret_end = outcome(f);
	if (f->code || f->left)
		return wait_failed(f->code);
	return wait_exit_code(f->last->machine);
}
