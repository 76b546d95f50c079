/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * systemd's two small protocols, as documented in sd_notify(3) and
 * sd_listen_fds(3): no library is needed for them.
 */
#ifndef SERVER_NOTIFY_H
#define SERVER_NOTIFY_H

enum {
	NOTIFY_FD = 3 /* the first socket handed to this process */
};

/* Tells the service manager, if there is one: "READY=1". */
void notify(const char *state);
/* Seconds between two "WATCHDOG=1"; 0: none wanted. */
double notify_watchdog(void);
/* How many listening sockets have been handed to this process. */
int notify_listen_fds(void);

#endif
