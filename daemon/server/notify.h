/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * systemd's two small protocols, as documented in sd_notify(3) and
 * sd_listen_fds(3): no library is needed for them.
 */
#ifndef SERVER_NOTIFY_H
#define SERVER_NOTIFY_H

/* Tells the service manager, if there is one: "READY=1". */
void notify(const char *state);
/* Seconds between two "WATCHDOG=1"; 0: none wanted. */
double notify_watchdog(void);
/* Listening sockets handed to this process, from descriptor 3 on. */
int notify_listen_fds(void);

#endif
