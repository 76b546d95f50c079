/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls in plain C, against a machine that keeps what it is told. */
#include "unit.h"

#include <string.h>

#include <pmuclient/machine.h>
#include <pmuclient/records.h>

#include "client-server.h"

static struct client_server server;
static struct pmuclient *client;

static void setup(void)
{
	client_server_start(&server);
	ck_assert_int_eq(pmuclient_adopt(&client, server.fd), 0);
}

static void teardown(void)
{
	pmuclient_free(client);
	client_server_stop(&server);
}

static const char *const one_setting[] = { "key=1=2", NULL };
static const char *const two_settings[] = { "a=1", "b=2", NULL };

TEST(a_machine_is_created_as_configured)
{
	struct pmuclient_config cfg = { .size = sizeof(cfg),
					.harts = 2,
					.detach = true,
					.settings = one_setting };
	char id[PMUCLIENT_ID];

	ck_assert_int_eq(pmuclient_create(client, NULL, id), 0);
	ck_assert_str_eq(id, "m1");
	ck_assert_int_eq(pmuclient_create(client, &cfg, id), 0);
	ck_assert_str_eq(id, "configured");
	cfg.settings = two_settings;
	ck_assert_int_eq(pmuclient_create(client, &cfg, id), -PMUCLIENT_EPROTO);
	ck_assert_str_eq(id, "configured");
}

/* How many it takes is pmud's to say. */
TEST(a_machine_is_created_with_however_many_settings)
{
	static const char *settings[4096 + 1];
	const struct pmuclient_config cfg = { .size = sizeof(cfg),
					      .settings = settings };
	char id[PMUCLIENT_ID];

	for (size_t i = 0; i < ARRAY_SIZE(settings) - 1; i++)
		settings[i] = "a=b";
	ck_assert_int_eq(pmuclient_create(client, &cfg, id), 0);
	ck_assert_str_eq(id, "4096-settings");
}

TEST(a_machine_starts_pauses_steps_resumes_and_goes)
{
	Pmu__V1__WatchMachineResponse *end;
	char id[PMUCLIENT_ID];

	ck_assert_int_eq(pmuclient_create(client, NULL, id), 0);
	ck_assert_int_eq(pmuclient_pause(client, id), -PMUCLIENT_ERPC);
	ck_assert_str_eq(pmuclient_error(client), "not now");
	ck_assert_int_eq(pmuclient_start(client, id, true), 0);
	ck_assert_int_eq(pmuclient_step(client, id, 7), 0);
	ck_assert_int_eq(pmuclient_resume(client, id), 0);
	ck_assert_int_eq(pmuclient_pause(client, id), 0);
	ck_assert_int_eq(pmuclient_resume(client, id), 0);
	/* it runs, and then does not any more */
	ck_assert_int_eq(pmuclient_wait(client, id, -1, &end), 0);
	ck_assert_int_eq(end->machine->state,
			 PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED);
	ck_assert_uint_eq(end->machine->insn, 7);
	pmuclient_free_message(&end->base);
	ck_assert_int_eq(pmuclient_delete(client, id), 0);
	ck_assert_int_eq(pmuclient_wait(client, id, -1, &end),
			 -PMUCLIENT_ESTATE);
}

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name

/* One after the other, on one machine. */
static const struct control_row {
	const char *id;
	enum pmuclient_action action;
	uint64_t value;
	int err;
	Pmu__V1__MachineState state; /* afterwards; UNSPECIFIED: none told */
	uint64_t insn;
	bool detached;
} control_rows[] = {
	{ "m1", PMUCLIENT_GET, 0, 0, STATE(NEW), 0, false },
	{ "m1", PMUCLIENT_STEP, 5, -PMUCLIENT_ERPC, 0, 0, false },
	{ "m1", PMUCLIENT_START, 1, 0, STATE(PAUSED), 0, false },
	{ "m1", PMUCLIENT_STEP, 5, 0, STATE(PAUSED), 5, false },
	{ "m1", PMUCLIENT_STEP, 1ull << 40, 0, STATE(PAUSED), (1ull << 40) + 5,
	  false },
	{ "m1", PMUCLIENT_RESUME, 0, 0, STATE(RUNNING), (1ull << 40) + 5,
	  false },
	{ "m1", PMUCLIENT_PAUSE, 0, 0, STATE(PAUSED), (1ull << 40) + 5, false },
	{ "m1", PMUCLIENT_DETACH, 0, 0, 0, 0, false },
	{ "m1", PMUCLIENT_GET, 0, 0, STATE(PAUSED), (1ull << 40) + 5, true },
	{ "gone", PMUCLIENT_GET, 0, -PMUCLIENT_ERPC, 0, 0, false },
	{ "nothing", PMUCLIENT_GET, 0, -PMUCLIENT_EPROTO, 0, 0, false },
	{ "m1", PMUCLIENT_DELETE, 0, 0, 0, 0, false },
	{ "m1", PMUCLIENT_DELETE + 1, 0, -PMUCLIENT_EINVAL, 0, 0, false },
	{ "m1", (enum pmuclient_action) - 1, 0, -PMUCLIENT_EINVAL, 0, 0,
	  false },
};

TEST(each_action_has_its_messages)
{
	char id[PMUCLIENT_ID];

	ck_assert_int_eq(pmuclient_create(client, NULL, id), 0);
	for (size_t i = 0; i < ARRAY_SIZE(control_rows); i++) {
		const struct control_row *row = &control_rows[i];
		Pmu__V1__MachineInfo *m = NULL;

		ck_assert_msg(pmuclient_control(client, row->id, row->action,
						row->value, &m) == row->err,
			      "row %zu: %s", i, pmuclient_error(client));
		ck_assert_msg((m ? m->state : 0) == row->state, "row %zu", i);
		ck_assert_msg((m ? m->insn : 0) == row->insn, "row %zu", i);
		ck_assert_msg((m && m->detached) == row->detached, "row %zu",
			      i);
		if (m)
			pmuclient_free_message(&m->base);
	}
}

TEST(a_started_machine_runs_unless_it_is_to_stand)
{
	Pmu__V1__GetMachineResponse *r;
	char id[PMUCLIENT_ID];

	for (int paused = 0; paused <= 1; paused++) {
		ck_assert_int_eq(pmuclient_create(client, NULL, id), 0);
		ck_assert_int_eq(pmuclient_start(client, id, paused), 0);
		ck_assert_int_eq(pmuclient_info(client, id, &r), 0);
		ck_assert_int_eq(r->machine->state,
				 paused ? STATE(PAUSED) : STATE(RUNNING));
		pmuclient_free_message(&r->base);
	}
	ck_assert_int_eq(pmuclient_info(client, "gone", &r), -PMUCLIENT_ERPC);
}

static const struct rest_row {
	const char *id;
	Pmu__V1__MachineState state;
} rest_rows[] = {
	{ "ends", PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED },
	{ "crashes", PMU__V1__MACHINE_STATE__MACHINE_STATE_CRASHED },
};

TEST_ROWS(waiting_ends_when_the_machine_does, rest_rows)
{
	const struct rest_row *row = &rest_rows[_i];
	Pmu__V1__WatchMachineResponse *end;

	ck_assert_int_eq(pmuclient_wait(client, row->id, -1, &end), 0);
	ck_assert_int_eq(end->machine->state, row->state);
	pmuclient_free_message(&end->base);
}

TEST(waiting_has_an_end)
{
	Pmu__V1__WatchMachineResponse *end;
	char id[PMUCLIENT_ID];

	ck_assert_int_eq(pmuclient_create(client, NULL, id), 0);
	ck_assert_int_eq(pmuclient_wait(client, id, 10, &end),
			 -PMUCLIENT_ETIMEOUT);
}

TEST(csrs_go_by_name)
{
	uint64_t value = 1;

	ck_assert_int_eq(
		pmuclient_csr_write(client, "m1", 1, "mscratch", UINT64_MAX),
		0);
	ck_assert_int_eq(
		pmuclient_csr_read(client, "m1", 1, "mscratch", &value), 0);
	ck_assert_uint_eq(value, UINT64_MAX);
	ck_assert_int_eq(pmuclient_csr_read(client, "m1", 1, "none", &value),
			 -PMUCLIENT_ERPC);
	ck_assert_str_eq(pmuclient_error(client), "no CSR 'none'");
	ck_assert_uint_eq(value, UINT64_MAX);
}

TEST(registers_are_written_and_read)
{
	Pmu__V1__ReadRegistersResponse *regs;

	for (unsigned i = 0; i < 66; i++)
		ck_assert_int_eq(
			pmuclient_register_write(client, "m1", 1, i, 100 + i),
			0);
	ck_assert_int_eq(pmuclient_register_write(client, "m1", 1, 66, 0),
			 -PMUCLIENT_ERPC);
	ck_assert_int_eq(pmuclient_registers(client, "m1", 1, &regs), 0);
	ck_assert_uint_eq(regs->n_x, 32);
	ck_assert_uint_eq(regs->x[31], 131);
	ck_assert_uint_eq(regs->pc, 132);
	ck_assert_uint_eq(regs->f[0], 133);
	ck_assert_uint_eq(regs->fcsr, 165);
	pmuclient_free_message(&regs->base);
}

TEST(memory_is_written_and_read)
{
	uint8_t back[5] = { 0 };

	ck_assert_int_eq(pmuclient_memory_write(client, "m1", 17, "bytes", 5),
			 0);
	ck_assert_int_eq(pmuclient_memory_read(client, "m1", 17, back, 5), 0);
	ck_assert_mem_eq(back, "bytes", 5);
	ck_assert_int_eq(pmuclient_memory_read(client, "m1", 0, back, 0), 0);
	ck_assert_int_eq(pmuclient_memory_read(client, "m1", 4094, back, 5),
			 -PMUCLIENT_EPROTO);
	ck_assert_mem_eq(back, "bytes", 5);
}

/* The end of our request is then the last that happens on its stream. */
TEST(an_answer_before_the_end_of_the_request_is_told)
{
	Pmu__V1__LoadImageRequest req = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;
	struct pmuclient_stream *s;

	ck_assert_int_eq(
		pmuclient_begin(client, "MachineService/LoadImage",
				&pmu__v1__load_image_response__descriptor, &s),
		0);
	start.machine = (char *)"gone";
	req.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	req.start = &start;
	ck_assert_int_eq(pmuclient_send(s, &req.base), 0);
	/* answers come in order: after this call's, the load's is here */
	ck_assert_int_eq(pmuclient_pause(client, "m1"), -PMUCLIENT_ERPC);
	ck_assert_int_eq(pmuclient_finish(s, NULL), -PMUCLIENT_ERPC);
	ck_assert_str_eq(pmuclient_error(client), "no machine 'gone'");
}

struct seen {
	unsigned headers, records, stop_at;
	uint64_t lost;
};

static int on_header(void *data, const Pmu__V1__Header *header)
{
	struct seen *seen = data;

	ck_assert_uint_eq(seen->records, 0);
	seen->headers++;
	return 0;
}

static int on_record(void *data, const Pmu__V1__Record *record)
{
	struct seen *seen = data;

	ck_assert_uint_eq(record->insn, seen->records);
	return ++seen->records == seen->stop_at ? 42 : 0;
}

static const struct pmuclient_record_ops ops = { sizeof(ops), on_header,
						 on_record, NULL };

TEST(records_come_in_order_until_the_end)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct seen seen = { 0 };

	req.machine = (char *)"m1";
	ck_assert_int_eq(pmuclient_records(client, &req, -1, &ops, &seen), 0);
	ck_assert_uint_eq(seen.headers, 1);
	ck_assert_uint_eq(seen.records, SERVER_OVERFLOWS);
}

static int on_lost(void *data, uint64_t records)
{
	struct seen *seen = data;

	ck_assert_uint_eq(seen->records, 0);
	seen->lost += records;
	return seen->stop_at ? 43 : 0;
}

static const struct lost_row {
	int (*lost)(void *data, uint64_t records);
	unsigned stop_at;
	int err;
	unsigned records, told;
} lost_rows[] = {
	{ on_lost, 0, 0, SERVER_OVERFLOWS, 5 },
	{ on_lost, 1, 43, 0, 5 },
	{ NULL, 0, 0, SERVER_OVERFLOWS, 0 },
};

TEST_ROWS(what_was_lost_is_told_to_who_wants_to_know, lost_rows)
{
	const struct lost_row *row = &lost_rows[_i];
	struct pmuclient_record_ops with = ops;
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct seen seen = { .stop_at = row->stop_at };

	with.lost = row->lost;
	req.machine = (char *)"lossy";
	ck_assert_int_eq(pmuclient_records(client, &req, -1, &with, &seen),
			 row->err);
	ck_assert_uint_eq(seen.records, row->records);
	ck_assert_uint_eq(seen.lost, row->told);
}

TEST(a_callback_ends_the_stream)
{
	static const struct pmuclient_record_ops none = { sizeof(none) };
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct seen seen = { .stop_at = 33 };

	req.machine = (char *)"m1";
	ck_assert_int_eq(pmuclient_records(client, &req, -1, &ops, &seen), 42);
	ck_assert_uint_eq(seen.records, 33);
	ck_assert_int_eq(pmuclient_records(client, &req, -1, &none, NULL), 0);
}

SUITE("client-calls", .setup = setup, .teardown = teardown);
