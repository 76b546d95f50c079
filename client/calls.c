/* SPDX-License-Identifier: BSD-2-Clause */
/* The conveniences: plain arguments into messages, answers out of them. */
#include <pmuclient/machine.h>

#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "sized.h"

enum {
	CHUNK = 256 << 10 /* pmud holds one of each upload */
};

/* "key=value" into a message, whose key is to be freed. */
static int read_setting(struct pmuclient *c, const char *text,
			Pmu__V1__Setting *ret)
{
	const char *equals = strchr(text, '=');
	char *copy;

	if (!equals)
		return session_fail(c, PMUCLIENT_EINVAL,
				    "setting '%s' is not KEY=VALUE", text);
	copy = strdup(text);
	if (!copy)
		return session_no_memory(c, "setting '%s'", text);
	copy[equals - text] = '\0';
	pmu__v1__setting__init(ret);
	ret->key = copy;
	ret->value = copy + (equals - text) + 1;
	return 0;
}

struct settings_list {
	Pmu__V1__Setting *row, **rows;
	size_t n;
};

/* How many there may be, pmud says. */
static int list_settings(struct pmuclient *c, struct settings_list *list,
			 const char *const *settings)
{
	size_t n = 0;
	int err = 0;

	while (settings && settings[n])
		n++;
	list->row = calloc(n + 1, sizeof(*list->row));
	list->rows = calloc(n + 1, sizeof(*list->rows));
	if (!list->row || !list->rows)
		return session_no_memory(c, "%zu settings", n);
	for (size_t i = 0; !err && i < n; i++) {
		list->rows[i] = &list->row[i];
		err = read_setting(c, settings[i], list->rows[i]);
		list->n += !err;
	}
	return err;
}

static void free_settings(const struct settings_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->row[i].key);
	free(list->row);
	free(list->rows);
}

static int create(struct pmuclient *c, const struct pmuclient_config *cfg,
		  struct settings_list *list, char *ret_id)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__CreateMachineResponse *answer;
	int err = list_settings(c, list, cfg->settings);

	if (err)
		return err;
	config.harts = cfg->harts;
	config.memory_bytes = cfg->memory;
	config.start_mode = cfg->m_mode ? PMU__V1__START_MODE__START_MODE_M
					: PMU__V1__START_MODE__START_MODE_S;
	if (cfg->bootargs)
		config.bootargs = (char *)cfg->bootargs;
	config.settings = list->rows;
	config.n_settings = list->n;
	req.config = &config;
	req.detach = cfg->detach;
	err = pmuclient_call(c, METHOD_PATH(CreateMachine), &req.base,
			     METHOD_ANSWER(CreateMachine),
			     (ProtobufCMessage **)&answer);
	if (err)
		return err;
	if (*answer->machine->id && strlen(answer->machine->id) < PMUCLIENT_ID)
		strcpy(ret_id, answer->machine->id);
	else
		err = session_fail(c, PMUCLIENT_EPROTO, "no id in the answer");
	pmuclient_free_message(&answer->base);
	return err;
}

int pmuclient_create(struct pmuclient *c, const struct pmuclient_config *cfg,
		     char ret_id[PMUCLIENT_ID])
{
	static const struct pmuclient_config plain = { .size = sizeof(plain) };
	struct pmuclient_config known;
	struct settings_list list = { .n = 0 };
	int err = sized_take(c, "config", cfg ? cfg : &plain, sizeof(known),
			     &known);

	if (err)
		return err;
	err = create(c, &known, &list, ret_id);
	free_settings(&list);
	return err;
}

static int send_image(struct pmuclient_stream *s, const char *id,
		      const struct pmuclient_image *image)
{
	Pmu__V1__LoadImageRequest req = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;
	int err;

	start.machine = (char *)id;
	start.kind = image->kind;
	start.address = image->address;
	start.entry = image->entry;
	start.total_bytes = image->len;
	req.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	req.start = &start;
	err = pmuclient_send(s, &req.base);
	req.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	for (size_t at = 0; !err && at < image->len; at += CHUNK) {
		size_t n = image->len - at;

		req.chunk.data = (uint8_t *)image->bytes + at;
		req.chunk.len = n < CHUNK ? n : CHUNK;
		err = pmuclient_send(s, &req.base);
	}
	return err;
}

int pmuclient_load(struct pmuclient *c, const char *id,
		   const struct pmuclient_image *image,
		   Pmu__V1__LoadImageResponse **ret)
{
	struct pmuclient_image known;
	struct pmuclient_stream *s;
	int err = sized_take(c, "image", image, sizeof(known), &known);

	if (!err)
		err = pmuclient_begin(c, METHOD_PATH(LoadImage),
				      METHOD_ANSWER(LoadImage), &s);
	if (err)
		return err;
	err = send_image(s, id, &known);
	if (!err)
		return pmuclient_finish(s, (ProtobufCMessage **)ret);
	pmuclient_close(s);
	return err;
}

int pmuclient_info(struct pmuclient *c, const char *id,
		   Pmu__V1__GetMachineResponse **ret)
{
	Pmu__V1__GetMachineRequest req = PMU__V1__GET_MACHINE_REQUEST__INIT;

	req.machine = (char *)id;
	return pmuclient_call(c, METHOD_PATH(GetMachine), &req.base,
			      METHOD_ANSWER(GetMachine),
			      (ProtobufCMessage **)ret);
}

static bool at_rest(const Pmu__V1__WatchMachineResponse *msg)
{
	Pmu__V1__MachineState state = msg->machine->state;

	return state == PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED ||
	       state == PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED ||
	       state == PMU__V1__MACHINE_STATE__MACHINE_STATE_CRASHED;
}

int pmuclient_wait(struct pmuclient *c, const char *id, int timeout_ms,
		   Pmu__V1__WatchMachineResponse **ret)
{
	Pmu__V1__WatchMachineRequest req = PMU__V1__WATCH_MACHINE_REQUEST__INIT;
	Pmu__V1__WatchMachineResponse *msg;
	struct pmuclient_stream *s;
	int err;

	req.machine = (char *)id;
	err = pmuclient_open(c, METHOD_PATH(WatchMachine), &req.base,
			     METHOD_ANSWER(WatchMachine), &s);
	if (err)
		return err;
	while ((err = pmuclient_next(s, timeout_ms,
				     (ProtobufCMessage **)&msg)) == 1) {
		if (at_rest(msg))
			break;
		pmuclient_free_message(&msg->base);
	}
	pmuclient_close(s);
	if (err == 1)
		*ret = msg;
	else if (err == 0)
		return session_fail(c, PMUCLIENT_ESTATE,
				    "machine %s was deleted", id);
	return err == 1 ? 0 : err;
}

int pmuclient_csr_read(struct pmuclient *c, const char *id, unsigned hart,
		       const char *name, uint64_t *ret)
{
	Pmu__V1__ReadCsrRequest req = PMU__V1__READ_CSR_REQUEST__INIT;
	Pmu__V1__ReadCsrResponse *answer;
	int err;

	req.machine = (char *)id;
	req.hart = hart;
	req.csr_case = PMU__V1__READ_CSR_REQUEST__CSR_NAME;
	req.name = (char *)name;
	err = pmuclient_call(c, METHOD_PATH(ReadCsr), &req.base,
			     METHOD_ANSWER(ReadCsr),
			     (ProtobufCMessage **)&answer);
	if (err)
		return err;
	*ret = answer->csr->value;
	pmuclient_free_message(&answer->base);
	return 0;
}

int pmuclient_csr_write(struct pmuclient *c, const char *id, unsigned hart,
			const char *name, uint64_t value)
{
	Pmu__V1__WriteCsrRequest req = PMU__V1__WRITE_CSR_REQUEST__INIT;

	req.machine = (char *)id;
	req.hart = hart;
	req.csr_case = PMU__V1__WRITE_CSR_REQUEST__CSR_NAME;
	req.name = (char *)name;
	req.value = value;
	return pmuclient_call(c, METHOD_PATH(WriteCsr), &req.base,
			      METHOD_ANSWER(WriteCsr), NULL);
}

int pmuclient_registers(struct pmuclient *c, const char *id, unsigned hart,
			Pmu__V1__ReadRegistersResponse **ret)
{
	Pmu__V1__ReadRegistersRequest req =
		PMU__V1__READ_REGISTERS_REQUEST__INIT;

	req.machine = (char *)id;
	req.hart = hart;
	return pmuclient_call(c, METHOD_PATH(ReadRegisters), &req.base,
			      METHOD_ANSWER(ReadRegisters),
			      (ProtobufCMessage **)ret);
}

int pmuclient_register_write(struct pmuclient *c, const char *id, unsigned hart,
			     unsigned number, uint64_t value)
{
	Pmu__V1__WriteRegisterRequest req =
		PMU__V1__WRITE_REGISTER_REQUEST__INIT;

	req.machine = (char *)id;
	req.hart = hart;
	req.number = number;
	req.value = value;
	return pmuclient_call(c, METHOD_PATH(WriteRegister), &req.base,
			      METHOD_ANSWER(WriteRegister), NULL);
}

int pmuclient_memory_read(struct pmuclient *c, const char *id, uint64_t address,
			  void *ret, size_t len)
{
	Pmu__V1__ReadMemoryRequest req = PMU__V1__READ_MEMORY_REQUEST__INIT;
	Pmu__V1__ReadMemoryResponse *answer;
	int err;

	req.machine = (char *)id;
	req.address = address;
	req.size = (uint32_t)len;
	if (len > UINT32_MAX)
		return session_fail(c, PMUCLIENT_EINVAL,
				    "size: must be at most %u bytes, not %zu",
				    UINT32_MAX, len);
	err = pmuclient_call(c, METHOD_PATH(ReadMemory), &req.base,
			     METHOD_ANSWER(ReadMemory),
			     (ProtobufCMessage **)&answer);
	if (err)
		return err;
	if (answer->data.len != len)
		err = session_fail(c, PMUCLIENT_EPROTO,
				   "pmud sent %zu bytes, not %zu",
				   answer->data.len, len);
	else if (len)
		memcpy(ret, answer->data.data, len);
	pmuclient_free_message(&answer->base);
	return err;
}

int pmuclient_memory_write(struct pmuclient *c, const char *id,
			   uint64_t address, const void *bytes, size_t len)
{
	Pmu__V1__WriteMemoryRequest req = PMU__V1__WRITE_MEMORY_REQUEST__INIT;

	req.machine = (char *)id;
	req.address = address;
	req.data.data = (uint8_t *)bytes;
	req.data.len = len;
	return pmuclient_call(c, METHOD_PATH(WriteMemory), &req.base,
			      METHOD_ANSWER(WriteMemory), NULL);
}
