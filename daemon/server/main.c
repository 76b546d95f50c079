/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmud: one loop, one RPC server, the machines. SIGTERM and SIGINT end it in
 * good order: clients are told to go, machines are killed.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "pmud-config.h"
#include "daemon-limits.h"
#include "descriptors.h"
#include "notify.h"
#include "quota.h"
#include "hosted.h"
#include "kept-runs.h"
#include "rpc-services.h"
#include "tickets.h"
#include "wire/standard-fds.h"

#define GRACE_SECONDS 2.0

struct pmud_program {
	struct daemon daemon; /* first: the server's user data */
	struct config config;
	struct rpc_server *server;
	int n_given; /* sockets, by the service manager */
	ev_signal term, interrupt;
	ev_timer watchdog;
};

static void on_drained(struct rpc_server *server)
{
	struct pmud_program *p = rpc_server_user(server);

	ev_break(p->daemon.loop, EVBREAK_ALL);
}

static void on_signal(struct ev_loop *loop, ev_signal *w, int revents)
{
	struct pmud_program *p = w->data;

	notify("STOPPING=1");
	rpc_server_shutdown(p->server, GRACE_SECONDS, on_drained);
}

static void on_watchdog(struct ev_loop *loop, ev_timer *w, int revents)
{
	notify("WATCHDOG=1");
}

static void on_conn_closed(struct rpc_conn *conn)
{
	struct pmud_program *p = rpc_server_user(rpc_conn_server(conn));

	quota_give(p->daemon.quota, QUOTA_CONNECTIONS, rpc_conn_peer(conn)->uid,
		   1);
	hosted_drop_lease(&p->daemon, conn);
	if (p->config.until_adopted_closes)
		ev_break(p->daemon.loop, EVBREAK_ALL);
}

static bool on_conn_admit(struct rpc_server *server,
			  const struct rpc_peer *peer, char ret_why[RPC_WHY])
{
	struct pmud_program *p = rpc_server_user(server);

	return quota_take(p->daemon.quota, QUOTA_CONNECTIONS, peer->uid, 1,
			  ret_why);
}

static int make_server(struct pmud_program *p)
{
	const struct rpc_bytes sets[] = {
		{ descriptors_pb, descriptors_pb_len },
	};
	static struct rpc_bytes kept_sets[sizeof(sets) / sizeof(*sets)];
	struct rpc_config cfg = {
		.loop = p->daemon.loop,
		.tables = &services_table,
		.n_tables = 1,
		.descriptors = kept_sets,
		.n_descriptors = sizeof(sets) / sizeof(*sets),
		.user = p,
		/* on_conn_admit() decides */
		.limits = { .max_conns = MAX_CONNECTIONS,
			    .max_conns_per_uid = MAX_CONNECTIONS },
		.conn_admit = on_conn_admit,
		.conn_closed = on_conn_closed,
	};

	memcpy(kept_sets, sets, sizeof(sets));
	return rpc_server_new(&p->server, &cfg);
}

/* The directory of the default system socket may not be there yet. */
static void make_parent(const char *socket)
{
	char *dir = strdup(socket);
	char *slash = dir ? strrchr(dir, '/') : NULL;

	if (slash && slash != dir) {
		*slash = '\0';
		(void)mkdir(dir, 0755);
	}
	free(dir);
}

static void say_why_not(const char *socket, int err)
{
	pid_t owner = err == -EADDRINUSE ? rpc_socket_owner(socket) : 0;

	if (owner > 0)
		fprintf(stderr, "pmud: %s: process %ld serves it\n", socket,
			(long)owner);
	else
		fprintf(stderr, "pmud: %s: %s\n", socket, strerror(-err));
}

/* Says where, for 0 asks for any port, and where not. */
static int listen_tcp(struct pmud_program *p)
{
	uint16_t port = (uint16_t)p->config.tcp_port;
	int err = rpc_listen_tcp(p->server, port, &port);

	if (err)
		fprintf(stderr, "pmud: 127.0.0.1:%u: %s\n", port,
			strerror(-err));
	else
		fprintf(stderr, "pmud: also on 127.0.0.1:%u\n", port);
	return err;
}

static int listen_all(struct pmud_program *p)
{
	const struct config *c = &p->config;
	int n = notify_listen_fds();
	int err = 0;

	p->n_given = n;
	for (int i = 0; i < n && !err; i++)
		err = rpc_listen_fd(p->server, NOTIFY_FD + i);
	if (!n && c->adopt_fd < 0 && !c->socket && c->tcp_port < 0) {
		fprintf(stderr, "pmud: $LISTEN_FDS is not for this process, "
				"and there is no --socket\n");
		return -EINVAL;
	}
	if (!err && c->adopt_fd >= 0)
		err = rpc_adopt(p->server, c->adopt_fd);
	if (!err && c->socket) {
		make_parent(c->socket);
		err = rpc_listen_unix(p->server, c->socket, 0660);
		if (err)
			say_why_not(c->socket, err);
	}
	if (!err && c->tcp_port >= 0)
		err = listen_tcp(p);
	return err;
}

/* The path of a socket that was given to us, or NULL. */
static const char *path_of(int fd, struct sockaddr_un *addr)
{
	socklen_t len = sizeof(*addr) - 1; /* a 0 stays behind it */

	*addr = (struct sockaddr_un){ 0 };
	if (getsockname(fd, (struct sockaddr *)addr, &len) ||
	    addr->sun_family != AF_UNIX || addr->sun_path[0] != '/')
		return NULL;
	return addr->sun_path;
}

/* Where this fails, handlers are told by calls, only slower. */
static void listen_for_tickets(struct pmud_program *p)
{
	const char *socket = p->config.socket;
	struct sockaddr_un addr;
	int err;

	for (int i = 0; i < p->n_given && !socket; i++)
		socket = path_of(NOTIFY_FD + i, &addr);
	err = socket ? tickets_new(&p->daemon.tickets, p->daemon.loop,
				   p->daemon.quota, socket)
		     : 0;

	if (err)
		fprintf(stderr, "pmud: no rings for clients: %s\n",
			strerror(-err));
}

static void watch_signals(struct pmud_program *p)
{
	struct ev_loop *loop = p->daemon.loop;
	double period = notify_watchdog();

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow: EFBIG */
	ev_signal_init(&p->term, on_signal, SIGTERM);
	ev_signal_init(&p->interrupt, on_signal, SIGINT);
	ev_timer_init(&p->watchdog, on_watchdog, period, period);
	p->term.data = p->interrupt.data = p;
	ev_signal_start(loop, &p->term);
	if (!p->config.until_adopted_closes)
		ev_signal_start(loop, &p->interrupt);
	if (period > 0)
		ev_timer_start(loop, &p->watchdog);
}

/* Machines and connections need descriptors: raises the limit to its top. */
static void want_descriptors(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) == 0 && l.rlim_cur < l.rlim_max) {
		l.rlim_cur = l.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &l);
	}
}

/* Lists what is kept, and keeps what comes. 0 or a negated errno. */
static int keep_runs(struct pmud_program *p)
{
	const char *dir = p->config.state_dir;
	int err = kept_lock(&p->daemon);

	if (err == -EWOULDBLOCK)
		fprintf(stderr,
			"pmud: --state-dir %s: another pmud keeps its "
			"runs there\n",
			dir);
	if (!err)
		kept_load(&p->daemon);
	return err;
}

static int cannot_serve(const char *why)
{
	fprintf(stderr, "pmud: cannot serve: %s\n", why);
	return EXIT_FAILURE;
}

static int serve(struct pmud_program *p)
{
	int err = quota_new(&p->daemon.quota, p->config.limits);

	if (!err && p->config.keep)
		err = keep_runs(p);
	if (!err)
		err = make_server(p);
	want_descriptors();
	watch_signals(p);
	/* who finds the socket may already end pmud by a signal */
	if (!err)
		err = listen_all(p);
	if (err)
		return cannot_serve(strerror(-err));
	listen_for_tickets(p);
	notify("READY=1");
	ev_run(p->daemon.loop, 0);
	return EXIT_SUCCESS;
}

static int run(struct pmud_program *p)
{
	/* the default loop would reap machines and lose their status */
	struct ev_loop *loop = ev_loop_new(0);
	int err, status;

	if (!loop)
		return cannot_serve("libev makes no event loop");
	p->daemon.config = &p->config;
	p->daemon.loop = loop;
	err = daemon_init(&p->daemon);
	status = err ? cannot_serve(strerror(-err)) : serve(p);
	daemon_fini(&p->daemon);
	tickets_free(p->daemon.tickets);
	rpc_server_free(p->server);
	ev_loop_destroy(loop);
	quota_free(p->daemon.quota);
	return status;
}

int main(int argc, char **argv)
{
	struct pmud_program p = { 0 };
	int status = EXIT_FAILURE;

	if (!standard_fds_hold()) { /* before any file is opened */
		perror("pmud: /dev/null");
		return EXIT_FAILURE;
	}
	if (config_parse(&p.config, argc, argv) == 0)
		status = run(&p);
	config_free(&p.config);
	return status;
}
