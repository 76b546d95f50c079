/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * GDB's remote serial protocol, its lowest floor: packets in a stream of bytes
 * from a peer that may send anything. Nothing here allocates or fails.
 */
#ifndef CLI_GDB_RSP_FRAME_H
#define CLI_GDB_RSP_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	RSP_PACKET_MAX = 16 << 10, /* bytes of a payload, escapes resolved */
	/* of a packet that holds so many: all escaped, the frame around */
	RSP_FRAME_MAX = 2 * RSP_PACKET_MAX + 4
};

enum rsp_event {
	RSP_NOTHING,   /* yet */
	RSP_PACKET,    /* a whole one: payload, len */
	RSP_TOO_LONG,  /* a whole one that does not fit */
	RSP_BROKEN,    /* one whose checksum or escape is wrong */
	RSP_ACK,       /* '+' */
	RSP_NACK,      /* '-' */
	RSP_INTERRUPT, /* Ctrl-C, between packets */
};

struct rsp_reader {
	enum {
		RSP_OUTSIDE,
		RSP_INSIDE,
		RSP_ESCAPED,
		RSP_FIRST_DIGIT,
		RSP_LAST_DIGIT
	} state;
	uint8_t sum, told;
	bool broken, too_long;
	size_t len;
	char payload[RSP_PACKET_MAX + 1]; /* a zero follows it */
};

/* Begins outside of any packet; zeroed memory is such a reader, too. */
void rsp_reader_init(struct rsp_reader *r);

/*
 * Takes one byte. A packet's payload stays until the next byte is taken. What
 * stands between packets and means nothing is skipped; a packet that begins
 * inside another one is the one that counts.
 */
enum rsp_event rsp_take(struct rsp_reader *r, uint8_t byte);

/*
 * The frame of @payload, at most RSP_PACKET_MAX bytes, into @ret, which has
 * room for RSP_FRAME_MAX: escaped, with runs of a byte shortened. Returns its
 * bytes.
 */
size_t rsp_frame(const char *payload, size_t len, char *ret);

#endif
