/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PMU function 8: which events of a list could be counted on this hart with
 * every counter free (C86). Everything is checked before the first entry is
 * written (C89). A call ends before anything else is done: so that nobody
 * waits long for it, a list has a limit. An entry costs a few dozen nanoseconds
 * of the host, for answers are remembered while the call lasts.
 */
#include "fw-counters.h"

#include "ctr-map.h"

enum {
	ENTRY = 16,
	OUTPUT = 4,
	CHUNK = 64,
	N_LINES = 256,
	MAX_ENTRIES = 65536
};

/* Answers given, each where a hash of its event says. */
struct info_line {
	uint32_t idx;
	bool known, countable;
	uint64_t data;
};

struct info_list {
	const struct fw *fw;
	const struct fw_hart *h;
	uint64_t paddr, n;
	struct info_line lines[N_LINES];
};

static uint64_t get(const uint8_t *b, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)b[i] << 8 * i;
	return v;
}

static bool countable(const struct info_list *list, uint32_t idx, uint64_t data)
{
	struct ctr_want want = { .set = ctr_ids(list->h), .taken_too = true };
	uint64_t select;

	/* The reference has no check of the upper bits (C83). */
	if (idx >> 20 ||
	    event_decode(list->fw, list->h, idx, data, &want.event))
		return false;
	return ctr_map_find(list->fw, list->h, &want, &select) >= 0;
}

static bool remembered(struct info_list *list, const uint8_t *entry)
{
	uint32_t idx = (uint32_t)get(entry, 4);
	uint64_t data = get(entry + 8, 8);
	struct info_line *l;

	/* event_data is there for raw and platform events only (C87). */
	if (!event_is_raw(idx) && idx != FW_EVENT_PLATFORM)
		data = 0;
	l = &list->lines[(idx ^ idx >> 14 ^ data) % N_LINES];
	if (!l->known || l->idx != idx || l->data != data)
		*l = (struct info_line){ .idx = idx,
					 .data = data,
					 .known = true,
					 .countable =
						 countable(list, idx, data) };
	return l->countable;
}

/* Does what @visit says with every entry, in order. */
static bool walk(struct info_list *list,
		 int64_t (*visit)(struct info_list *list, uint64_t paddr,
				  const uint8_t *entry),
		 int64_t *ret_error)
{
	const struct fw_machine *m = &list->fw->machine;
	uint8_t buf[CHUNK * ENTRY];

	for (uint64_t i = 0; i < list->n; i += CHUNK) {
		uint64_t left = list->n - i, at = list->paddr + i * ENTRY;
		size_t n = left < CHUNK ? (size_t)left : CHUNK;

		if (!m->ops->mem_read(m->host, at, buf, n * ENTRY))
			return false;
		for (size_t k = 0; k < n; k++) {
			*ret_error =
				visit(list, at + k * ENTRY, buf + k * ENTRY);
			if (*ret_error)
				return true;
		}
	}
	return true;
}

static int64_t check(struct info_list *list, uint64_t paddr,
		     const uint8_t *entry)
{
	if (get(entry, 4) >> 20 && !list->fw->cfg.quirks.list_bits_ignored)
		return REFUSE(list->fw, INVALID_PARAM,
			      "event %x of the list has bits above its twenty",
			      get(entry, 4));
	return SBI_SUCCESS;
}

static int64_t answer(struct info_list *list, uint64_t paddr,
		      const uint8_t *entry)
{
	const struct fw_machine *m = &list->fw->machine;
	const uint8_t output[4] = { remembered(list, entry) };

	if (!m->ops->mem_write(m->host, paddr + OUTPUT, output, sizeof(output)))
		return REFUSE(list->fw, FAILED,
			      "the list at %x cannot be written", paddr);
	return SBI_SUCCESS;
}

struct sbi_ret event_get_info(struct fw *fw, struct sbi_call *call)
{
	const struct fw_hart *h = sbi_caller(fw, call);
	struct info_list list = { .fw = fw, .h = h, .n = call->arg[2] };
	int64_t err = SBI_SUCCESS;

	if (call->arg[0] % ENTRY || !list.n)
		return sbi_err(REFUSE(fw, INVALID_PARAM,
				      "a list of %d events at %x: none, or not "
				      "a multiple of 16",
				      list.n, call->arg[0]));
	if (!sbi_paddr(fw, h, call->arg, &list.paddr) ||
	    list.n > UINT64_MAX / ENTRY ||
	    !fw->machine.ops->mem_is_ram(fw->machine.host, list.paddr,
					 list.n * ENTRY))
		return sbi_err(REFUSE(fw, INVALID_ADDRESS,
				      "a list of %d events at %x is not all in "
				      "RAM",
				      list.n, call->arg[0]));
	if (list.n > MAX_ENTRIES)
		return sbi_err(REFUSE(fw, FAILED,
				      "a list of %d events is longer than the "
				      "limit of %d",
				      list.n, MAX_ENTRIES));
	if (!walk(&list, check, &err))
		return sbi_err(REFUSE(fw, INVALID_ADDRESS,
				      "the list at %x cannot be read",
				      list.paddr));
	if (err)
		return sbi_err(err);
	if (!walk(&list, answer, &err))
		return sbi_err(REFUSE(fw, FAILED,
				      "the list at %x cannot be read",
				      list.paddr));
	return sbi_err(err);
}
