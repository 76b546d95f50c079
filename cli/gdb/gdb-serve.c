/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop: what the debugger sends, what the daemon sends, signals. While the
 * debugger does not take what it was sent, nothing more is asked of it.
 */
#include "gdb-serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gdb-listen.h"
#include "gdb-stub.h"
#include "session/end-signals.h"
#include "session/pmud.h"
#include "session/wait.h"
#include "text/exit-codes.h"
#include "text/report.h"

enum {
	CHUNK = 16 << 10,
	OUT_MAX = 256 << 10, /* not sent yet: no more is read */
};

struct serve {
	const struct gdb_serve_config *cfg;
	struct gdb_target target;
	struct gdb_run run;
	struct gdb_feed feed;
	struct gdb_listener listener;
	struct gdb_stub *stub; /* NULL: no debugger */
	int in, out;	       /* then its descriptors */
	struct end_signals signals;
	int old_in, old_out;  /* file status flags of stdin and stdout */
	struct gdb_stop stop; /* not told yet, if has_stop */
	bool has_stop;
	bool over; /* nothing is left to serve */
	int code;
};

static void take_signal(struct serve *s)
{
	int code = end_signals_take(&s->signals);

	if (code)
		s->code = code;
}

/* Debuggers */

static void connected(struct serve *s, int in, int out)
{
	s->stub = calloc(1, sizeof(*s->stub));
	if (!s->stub) {
		s->code = report_no_memory("connection of the debugger");
		return;
	}
	*s->stub = (struct gdb_stub){
		.target = &s->target,
		.run = &s->run,
		.attached = !s->cfg->own,
		.stays_paused = s->cfg->stays_paused,
		.monitor = s->cfg->monitor,
	};
	s->in = in;
	s->out = out;
	s->has_stop = false;
	if (gdb_stub_init(s->stub))
		return;
	s->code = report_no_memory("connection of the debugger");
}

static void disconnected(struct serve *s)
{
	gdb_stub_fini(s->stub);
	free(s->stub);
	s->stub = NULL;
	if (!s->cfg->stdio)
		close(s->in);
}

/* Somebody connects: the machine stands while it looks. */
static void accept_debugger(struct serve *s)
{
	int fd = gdb_accept(&s->listener);

	if (fd < 0)
		return;
	if (gdb_run_is_under_way(&s->run)) {
		gdb_run_pause(&s->run);
		gdb_run_drop(&s->run);
	}
	connected(s, fd, fd);
}

/* It goes on without a debugger. */
static void go_alone(struct serve *s)
{
	const struct rsp_resume all = { .others = true };

	if (!gdb_points_clear(&s->target) || !gdb_run_resume(&s->run, &all))
		s->over = true; /* it has ended */
}

static void detach(struct serve *s, bool paused)
{
	bool stays = s->cfg->own && !s->cfg->stdio;

	disconnected(s);
	if (stays && !paused) {
		go_alone(s);
	} else if (stays) {
		gdb_run_leave(&s->run, false);
	} else {
		gdb_run_leave(&s->run, !paused);
		s->over = true;
	}
}

/* It has gone without a word: it may come back, if it can. */
static void lost_debugger(struct serve *s)
{
	if (s->cfg->stdio) {
		detach(s, s->stub->stays_paused);
		return;
	}
	disconnected(s);
	gdb_run_leave(&s->run, false);
}

static void kill_machine(struct serve *s)
{
	struct gdb_feed_config *m = &s->feed.cfg;

	disconnected(s);
	gdb_run_drop(&s->run);
	s->code = pmud_control(m->pmud, m->machine, PMUCLIENT_DELETE, 0, NULL);
	s->over = true;
}

/* What the debugger has said last, once it was told all. */
static void handle_end(struct serve *s)
{
	if (!s->stub || (buf_len(&s->stub->out) && !s->stub->out_failed))
		return;
	if (s->stub->out_failed) {
		s->code = report_no_memory("answer to the debugger");
		return;
	}
	switch (s->stub->end) {
	case GDB_GOES_ON:
		break;
	case GDB_DETACHED:
		detach(s, s->stub->stays_paused);
		break;
	case GDB_KILLED:
		kill_machine(s);
		break;
	case GDB_OVER:
		disconnected(s);
		s->over = true;
		break;
	}
}

static void read_debugger(struct serve *s)
{
	uint8_t bytes[CHUNK];
	ssize_t n = read(s->in, bytes, sizeof(bytes));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0)
		lost_debugger(s);
	else
		gdb_stub_take(s->stub, bytes, (size_t)n);
}

static void write_debugger(struct serve *s)
{
	struct buf *out = &s->stub->out;
	ssize_t n;

	if (!buf_len(out))
		return;
	n = write(s->out, buf_head(out), buf_len(out));
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		lost_debugger(s);
		return;
	}
	buf_consume(out, (size_t)n);
}

/* What comes of the machine */

static void print_here(void *arg, const char *text, size_t len)
{
	struct serve *s = arg;

	if (fwrite(text, 1, len, stdout) != len || fflush(stdout))
		s->code = EXIT_FAILED; /* that is said as the command ends */
}

static void print_there(void *arg, const char *text, size_t len)
{
	struct serve *s = arg;

	gdb_stub_print(s->stub, text, len);
}

/* A debugger at our stdout is told what the console says, when it listens. */
static void take_feed(struct serve *s)
{
	void (*print)(void *, const char *, size_t) = print_here;
	bool listens = s->stub && buf_len(&s->stub->out) < OUT_MAX &&
		       (gdb_run_is_under_way(&s->run) || s->has_stop);

	if (s->cfg->stdio)
		print = listens ? print_there : NULL;
	if (!gdb_feed_take(&s->feed, print, s) && !s->code)
		s->code = s->feed.code;
}

/* A machine's last words come before the news of its end. */
static void take_stop(struct serve *s)
{
	if (gdb_run_poll(&s->run, &s->stop))
		s->has_stop = true;
	if (!s->has_stop)
		return;
	if (s->stop.why == GDB_ENDED)
		take_feed(s); /* what came with the last call wakes nobody */
	if (s->stop.why == GDB_ENDED && !gdb_feed_ended(&s->feed))
		return;
	s->has_stop = false;
	if (*s->run.note && s->stub && s->stop.why < GDB_ENDED)
		report_note("%s", s->run.note);
	if (s->stub)
		gdb_stub_stopped(s->stub, &s->stop);
	else if (s->stop.why >= GDB_ENDED)
		s->over = true;
}

static void pump(struct serve *s)
{
	int err = pmuclient_pump(pmud_client(s->feed.cfg.pmud), 0);

	if (err && !s->code)
		s->code = wait_failed(pmud_fail(s->feed.cfg.pmud, err));
}

static void wait_once(struct serve *s)
{
	struct pmuclient *client = pmud_client(s->feed.cfg.pmud);
	size_t waiting = s->stub ? buf_len(&s->stub->out) : 0;
	bool reads =
		s->stub && waiting < OUT_MAX && s->stub->end == GDB_GOES_ON;
	struct pollfd fds[] = {
		{ .fd = pmuclient_fd(client),
		  .events = pmuclient_events(client) },
		{ .fd = s->signals.fd, .events = POLLIN },
		{ .fd = s->stub ? -1 : s->listener.fd, .events = POLLIN },
		{ .fd = reads ? s->in : -1, .events = POLLIN },
		/* loop() writes it then */
		{ .fd = waiting ? s->out : -1, .events = POLLOUT },
	};

	if (poll(fds, sizeof(fds) / sizeof(*fds),
		 trace_out_timeout(&s->feed.trace)) < 0)
		return;
	if (fds[0].revents)
		pump(s);
	if (fds[1].revents)
		take_signal(s);
	if (fds[2].revents)
		accept_debugger(s);
	if (fds[3].revents)
		read_debugger(s);
	if (!trace_out_flush(&s->feed.trace))
		s->code = EXIT_FAILED;
}

static void loop(struct serve *s)
{
	while (!s->over && !s->code) {
		take_feed(s);
		take_stop(s);
		if (s->target.lost && !s->code) {
			report_error("%s", gdb_target_error(&s->target));
			s->code = wait_failed(EXIT_UNREACHABLE);
		}
		if (s->stub)
			write_debugger(s);
		handle_end(s);
		if (!s->over && !s->code)
			wait_once(s);
	}
}

/* Beginning and end */

static int listen_for(struct serve *s)
{
	int code = gdb_listen(&s->listener, s->cfg->listen);

	if (!code)
		report_note("in gdb-multiarch: target remote %s",
			    s->listener.place);
	return code;
}

static int begin_stdio(struct serve *s)
{
	s->old_in = fcntl(STDIN_FILENO, F_GETFL);
	s->old_out = fcntl(STDOUT_FILENO, F_GETFL);
	if (s->old_in < 0 || s->old_out < 0) {
		report_error("--stdio: %s", strerror(errno));
		return EXIT_FAILED;
	}
	fcntl(STDIN_FILENO, F_SETFL, s->old_in | O_NONBLOCK);
	fcntl(STDOUT_FILENO, F_SETFL, s->old_out | O_NONBLOCK);
	connected(s, STDIN_FILENO, STDOUT_FILENO);
	return s->code;
}

static void end_stdio(const struct serve *s)
{
	if (s->old_in < 0 || s->old_out < 0)
		return;
	fcntl(STDIN_FILENO, F_SETFL, s->old_in);
	fcntl(STDOUT_FILENO, F_SETFL, s->old_out);
}

static int run(struct serve *s)
{
	const struct gdb_feed_config *m = &s->cfg->feed;
	int code = gdb_feed_open(&s->feed, m);

	if (!code)
		code = gdb_run_attach(&s->run, &s->target, m->pmud, m->machine);
	if (!code)
		code = s->cfg->stdio ? begin_stdio(s) : listen_for(s);
	if (!code)
		loop(s);
	return code ? code : s->code;
}

/* How the machine has ended, if it has. */
static int code_of_end(const struct serve *s)
{
	const struct gdb_feed_config *m = &s->cfg->feed;
	Pmu__V1__MachineInfo *info;
	int code;

	if (!s->cfg->own || s->stop.why != GDB_ENDED)
		return EXIT_OK;
	code = pmud_control(m->pmud, m->machine, PMUCLIENT_GET, 0, &info);
	if (code)
		return code;
	code = wait_exit_code(info);
	answer_free(info);
	return code;
}

int gdb_serve(const struct gdb_serve_config *cfg, bool *ret_whole)
{
	struct serve s = {
		.cfg = cfg,
		.listener = { .fd = -1 },
		.old_in = -1,
		.old_out = -1,
	};
	int code = end_signals_open(&s.signals, true);

	if (!code)
		code = run(&s);
	if (s.stub)
		disconnected(&s);
	if (code >= EXIT_SIGNAL && !cfg->own)
		gdb_run_leave(&s.run, !cfg->stays_paused);
	if (!code)
		code = code_of_end(&s);
	if (code == EXIT_GONE || code == EXIT_UNREACHABLE)
		gdb_feed_rest(&s.feed);
	*ret_whole = s.feed.whole;
	gdb_run_drop(&s.run);
	gdb_feed_close(&s.feed);
	gdb_target_fini(&s.target);
	gdb_listen_end(&s.listener);
	end_stdio(&s);
	end_signals_close(&s.signals);
	return code;
}
