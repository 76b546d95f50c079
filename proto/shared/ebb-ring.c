/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The descriptors of an EBB session's rings, made and handed over. Both sides
 * are woken by a socket pair: of an eventfd each side could take the flag that
 * keeps the other one from blocking.
 */
#include "shared/ebb-ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/ring.h"

struct ebb_channel ebb_channel_none(void)
{
	return (struct ebb_channel){ -1, -1, -1 };
}

void ebb_channel_close(struct ebb_channel *ch)
{
	const int fds[] = { ch->said, ch->wishes, ch->wake };

	for (unsigned i = 0; i < EBB_CHANNEL_FDS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	*ch = ebb_channel_none();
}

static int make_ring(uint64_t size, int *ret_client, int *ret_machine)
{
	struct ring ring = { 0 };
	int err = ring_create(&ring, size, ret_client);

	if (err)
		return err;
	ring_close(&ring);
	*ret_machine = fcntl(*ret_client, F_DUPFD_CLOEXEC, 0);
	return *ret_machine < 0 ? -errno : 0;
}

static int make_wake(int *ret_client, int *ret_machine)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
		       pair))
		return -errno;
	*ret_client = pair[0];
	*ret_machine = pair[1];
	return 0;
}

int ebb_channel_make(struct ebb_channel *client, struct ebb_channel *machine)
{
	int err;

	*client = *machine = ebb_channel_none();
	err = make_ring(EBB_SAID_RING, &client->said, &machine->said);
	if (!err)
		err = make_ring(EBB_WISH_RING, &client->wishes,
				&machine->wishes);
	if (!err)
		err = make_wake(&client->wake, &machine->wake);
	if (err) {
		ebb_channel_close(client);
		ebb_channel_close(machine);
	}
	return err;
}

/* Room for the descriptors, aligned as their header. */
union descriptor_room {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(EBB_CHANNEL_FDS * sizeof(int))];
};

int ebb_channel_send(int socket, uint32_t number, const struct ebb_channel *ch)
{
	const int fds[] = { ch->said, ch->wishes, ch->wake };
	union descriptor_room control = { .bytes = { 0 } };
	struct iovec iov = { &number, sizeof(number) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};

	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(&control.head), fds, sizeof(fds));
	return sendmsg(socket, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno
								      : 0;
}

/* The descriptors of @msg, whatever their number. False: not three. */
static bool take(const struct msghdr *msg, struct ebb_channel *ret)
{
	const struct cmsghdr *head = CMSG_FIRSTHDR(msg);
	int fds[CMSG_SPACE(EBB_CHANNEL_FDS * sizeof(int)) / sizeof(int)];
	size_t len;

	if (!head || head->cmsg_level != SOL_SOCKET ||
	    head->cmsg_type != SCM_RIGHTS)
		return false;
	len = head->cmsg_len - CMSG_LEN(0);
	memcpy(fds, CMSG_DATA(head), len < sizeof(fds) ? len : sizeof(fds));
	if (len == EBB_CHANNEL_FDS * sizeof(int) &&
	    !(msg->msg_flags & MSG_CTRUNC)) {
		*ret = (struct ebb_channel){ fds[0], fds[1], fds[2] };
		return true;
	}
	for (size_t i = 0; i < len / sizeof(int); i++)
		close(fds[i]);
	return false;
}

int ebb_channel_receive(int socket, uint32_t *ret_number,
			struct ebb_channel *ret)
{
	union descriptor_room control = { .bytes = { 0 } };
	uint32_t number;
	struct iovec iov = { &number, sizeof(number) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t n = recvmsg(socket, &msg, MSG_CMSG_CLOEXEC);

	if (n < 0)
		return -errno;
	if (n == 0)
		return -ECONNRESET;
	if (!take(&msg, ret))
		return -EPROTO;
	if (n == sizeof(number)) {
		*ret_number = number;
		return 0;
	}
	ebb_channel_close(ret);
	return -EPROTO;
}
