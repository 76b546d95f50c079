/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The host-target interface: when a word in tohost is a command, and what each
 * command does. Which stores come here is the board's decision.
 *
 * 32-bit guests store the word in halves. A half completes a command if the
 * whole word is one then: so an exit code or a pointer works stored low half
 * first, a console command high half first.
 */
#include "dev-htif.h"

enum {
	DEV_SYSCALL = 0,
	DEV_CONSOLE = 1
};
enum {
	CMD_GETCHAR = 0,
	CMD_PUTCHAR = 1
};
enum {
	SYS_WRITE = 64,
	SYS_EXIT = 93
};
enum {
	GUEST_EBADF = 9,
	GUEST_EFAULT = 14,
	GUEST_ENOSYS = 38
};

#define PAYLOAD	 0xffffffffffffull
#define CHAR_GOT 0x100u /* tells a byte 0 from no byte */

static uint64_t load(const struct htif *h, uint64_t paddr)
{
	uint64_t value = 0;

	bus_read(h->bus, paddr, &value, sizeof(value));
	return value;
}

static void store(struct htif *h, uint64_t paddr, uint64_t value)
{
	bus_write(h->bus, paddr, &value, sizeof(value));
}

/* One answer at a time, and only into a cleared fromhost. */
void htif_poll(struct htif *h)
{
	if (!h->fromhost || load(h, h->fromhost))
		return;
	if (h->answered) {
		h->answered = false;
		store(h, h->fromhost, 1);
	} else if (h->reading && h->ops->waiting(h->host)) {
		h->reading = false;
		store(h, h->fromhost,
		      (uint64_t)DEV_CONSOLE << 56 |
			      (uint64_t)CMD_GETCHAR << 48 | CHAR_GOT |
			      h->ops->in(h->host));
	}
}

static int64_t sys_write(struct htif *h, const uint64_t args[3])
{
	uint64_t paddr = args[1], len = args[2];

	if (args[0] != 1 && args[0] != 2)
		return -GUEST_EBADF;
	if (len > HTIF_MAX_WRITE)
		len = HTIF_MAX_WRITE;
	if (!bus_is_ram(h->bus, paddr, len))
		return -GUEST_EFAULT;
	if (len)
		h->ops->out(h->host, h->bus->ram + (paddr - h->bus->ram_base),
			    len);
	return (int64_t)len;
}

/* Eight words at @block: the call's number and arguments, then its answer. */
static void system_call(struct htif *h, uint64_t block)
{
	uint64_t words[8];
	int64_t answer = -GUEST_ENOSYS;

	bus_read(h->bus, block, words, sizeof(words));
	if (words[0] == SYS_EXIT) {
		h->ops->finish(h->host, words[1]);
		return;
	}
	if (words[0] == SYS_WRITE)
		answer = sys_write(h, words + 1);
	store(h, block, (uint64_t)answer);
	h->answered = true;
	htif_poll(h);
}

/* A word that is neither is not, or not yet, a command: it stays. */
static void syscall_command(struct htif *h, uint64_t payload)
{
	if (!(payload & 1) && !bus_is_ram(h->bus, payload, 64))
		return;
	store(h, h->tohost, 0);
	if (payload & 1)
		h->ops->finish(h->host, payload >> 1);
	else
		system_call(h, payload);
}

static void console_command(struct htif *h, unsigned cmd, uint64_t payload)
{
	uint8_t byte = (uint8_t)payload;

	store(h, h->tohost, 0);
	if (cmd == CMD_PUTCHAR)
		h->ops->out(h->host, &byte, 1);
	if (cmd == CMD_GETCHAR) {
		h->reading = true;
		htif_poll(h);
	}
}

/* @low: the store reached the word's low half. */
static void command(struct htif *h, bool low)
{
	uint64_t word = load(h, h->tohost);
	unsigned device = (unsigned)(word >> 56);
	unsigned cmd = word >> 48 & 0xff;

	if (!word)
		return;
	if (device == DEV_SYSCALL && cmd == 0) {
		syscall_command(h, word & PAYLOAD);
	} else if (device == DEV_CONSOLE) {
		if (low || (uint32_t)word || cmd == CMD_GETCHAR)
			console_command(h, cmd, word & PAYLOAD);
	} else {
		store(h, h->tohost, 0); /* a device that does not exist */
	}
}

static bool touches(uint64_t word, uint64_t paddr, uint64_t size)
{
	return word && paddr < word + 8 && word < paddr + size;
}

void htif_stored(struct htif *h, uint64_t paddr, uint64_t size)
{
	if (touches(h->tohost, paddr, size))
		command(h, paddr < h->tohost + 4);
	if (touches(h->fromhost, paddr, size))
		htif_poll(h);
}
