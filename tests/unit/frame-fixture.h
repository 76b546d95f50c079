/* SPDX-License-Identifier: BSD-2-Clause */
/* A small message, and a connection that it goes through. */
#ifndef TESTS_UNIT_FRAME_FIXTURE_H
#define TESTS_UNIT_FRAME_FIXTURE_H

#include <sys/socket.h>
#include <unistd.h>

#include "wire/frame.h"
#include "pmu/v1/common.pb-c.h"
#include "unit.h"

static inline Pmu__V1__Setting sample(void)
{
	Pmu__V1__Setting s = PMU__V1__SETTING__INIT;

	s.key = (char *)"clock-hz";
	s.value = (char *)"1000000000";
	return s;
}

static inline int put(struct frame_out *out, const ProtobufCMessage *head)
{
	return frame_put(out, head, &(struct frame_body){ 0 });
}

/* Both ends of a connection: what is written to one is read from the other. */
static inline void connect_ends(int ret_fd[2])
{
	ck_assert_int_eq(
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ret_fd), 0);
}

static inline void close_ends(const int fd[2])
{
	close(fd[0]);
	close(fd[1]);
}

#endif
