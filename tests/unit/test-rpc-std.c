/* SPDX-License-Identifier: BSD-2-Clause */
/* The services that every server has: health, and reflection of its own. */
#include "unit.h"

#include <string.h>

#include "rpc-peer.h"
#include "rpc-service.h"
#include "grpc/std/health.pb-c.h"
#include "grpc/std/reflection.pb-c.h"

typedef Grpc__Reflection__V1__ServerReflectionRequest question;
typedef Grpc__Reflection__V1__ServerReflectionResponse answer;

#define Q(kind)                                                                \
	GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_##kind
#define A(kind)                                                                \
	GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_##kind

static struct peer peer;

static void setup(void)
{
	service_start(NULL);
	peer_open(&peer, service.server, service.loop, 1 << 20);
}

static void teardown(void)
{
	peer_close(&peer);
	service_stop();
}

/* Takes one message off what came; the caller frees it. */
static ProtobufCMessage *take(struct peer_call *c,
			      const ProtobufCMessageDescriptor *desc)
{
	ProtobufCMessage *msg;
	uint32_t len;

	ck_assert_int_eq(frame_peek(&c->in, 1 << 20, &len), FRAME_READY);
	msg = protobuf_c_message_unpack(desc, NULL, len,
					buf_head(&c->in) + FRAME_PREFIX);
	ck_assert_ptr_nonnull(msg);
	buf_consume(&c->in, FRAME_PREFIX + len);
	return msg;
}

static struct peer_call *health(const char *method, const char *name)
{
	Grpc__Health__V1__HealthCheckRequest req =
		GRPC__HEALTH__V1__HEALTH_CHECK_REQUEST__INIT;
	struct peer_call *c;
	struct buf b = { 0 };
	char path[64] = "/grpc.health.v1.Health/";

	req.service = (char *)name;
	ck_assert_int_eq(frame_append(&b, &req.base), 0);
	c = peer_start(&peer,
		       &(struct peer_request){ .path = strcat(path, method),
					       .body = buf_head(&b),
					       .len = buf_len(&b) });
	buf_free(&b);
	peer_run(&peer);
	return c;
}

static int serving(struct peer_call *c)
{
	Grpc__Health__V1__HealthCheckResponse *msg = (void *)take(
		c, &grpc__health__v1__health_check_response__descriptor);
	int status = (int)msg->status;

	grpc__health__v1__health_check_response__free_unpacked(msg, NULL);
	return status;
}

static const struct health_row {
	const char *name;
	bool known;
} health_rows[] = {
	{ "", true },
	{ "test.Test", true },
	{ "grpc.health.v1.Health", true },
	{ "test", false },
	{ "test.Test/Unary", false },
	{ "test.Tes", false },
	{ "nobody", false },
};

TEST_ROWS(health_is_told_of_services_that_are_there, health_rows)
{
	const struct health_row *row = &health_rows[_i];
	struct peer_call *c = health("Check", row->name);

	ck_assert_int_eq(c->status, row->known ? GRPC_OK : GRPC_NOT_FOUND);
	if (row->known)
		ck_assert_int_eq(serving(c), 1);
	c = health("Watch", row->name);
	ck_assert_int_eq(serving(c), row->known ? 1 : 3);
	ck_assert_int_eq(c->status, -1); /* it goes on */
}

static struct peer_call *reflection(const char *version)
{
	char path[96] = "/grpc.reflection.";

	strcat(path, version);
	strcat(path, ".ServerReflection/ServerReflectionInfo");
	return peer_start(&peer,
			  &(struct peer_request){ .path = path, .more = true });
}

static void put_question(struct peer_call *c, question *q)
{
	struct buf b = { 0 };

	ck_assert_int_eq(frame_append(&b, &q->base), 0);
	peer_more(c, buf_head(&b), buf_len(&b), false);
	buf_free(&b);
}

static answer *ask(struct peer_call *c, int kind, const char *text)
{
	question q = GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__INIT;

	q.message_request_case = kind;
	q.list_services = (char *)text; /* any of the strings */
	put_question(c, &q);
	peer_run(&peer);
	return (answer *)take(
		c,
		&grpc__reflection__v1__server_reflection_response__descriptor);
}

static void done(answer *a)
{
	grpc__reflection__v1__server_reflection_response__free_unpacked(a,
									NULL);
}

static const char *const versions[] = { "v1", "v1alpha" };

TEST_ROWS(services_are_listed_once_each, versions)
{
	static const char *const want[] = {
		"grpc.health.v1.Health",
		"grpc.reflection.v1.ServerReflection",
		"test.Test",
	};
	struct peer_call *c = reflection(versions[_i]);
	answer *a = ask(c, Q(LIST_SERVICES), "");

	ck_assert_int_eq(a->message_response_case, A(LIST_SERVICES_RESPONSE));
	ck_assert_uint_eq(a->list_services_response->n_service,
			  ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		ck_assert_str_eq(a->list_services_response->service[i]->name,
				 want[i]);
	done(a);
	peer_more(c, "", 0, true);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
}

static const struct file_row {
	int kind;
	const char *text;
	bool found;
} file_rows[] = {
	{ Q(FILE_BY_FILENAME), "health.proto", true },
	{ Q(FILE_BY_FILENAME), "healt", false },
	{ Q(FILE_BY_FILENAME), "", false },
	{ Q(FILE_CONTAINING_SYMBOL), "grpc.health.v1.Health", true },
	{ Q(FILE_CONTAINING_SYMBOL), "grpc.health.v1.Health.Check", true },
	{ Q(FILE_CONTAINING_SYMBOL), "grpc.health.v1.HealthCheckRequest",
	  true },
	{ Q(FILE_CONTAINING_SYMBOL), "grpc.health.v1", false },
	{ Q(FILE_CONTAINING_SYMBOL), "grpc.health.v1.", false },
	{ Q(FILE_CONTAINING_SYMBOL), "grpc.health.v1.Healt", false },
	{ Q(FILE_CONTAINING_SYMBOL), "grpc.health.v1xHealth", false },
	{ Q(FILE_CONTAINING_SYMBOL), "g", false },
	{ Q(FILE_CONTAINING_SYMBOL), "", false },
	{ Q(ALL_EXTENSION_NUMBERS_OF_TYPE), "grpc.health.v1.Health", false },
};

TEST_ROWS(a_file_is_found_by_name_and_by_symbol, file_rows)
{
	const struct file_row *row = &file_rows[_i];
	answer *a = ask(reflection("v1"), row->kind, row->text);

	ck_assert_msg(a->message_response_case ==
			      (row->found ? A(FILE_DESCRIPTOR_RESPONSE)
					  : A(ERROR_RESPONSE)),
		      "'%s'", row->text);
	if (row->found)
		ck_assert_uint_eq(
			a->file_descriptor_response->n_file_descriptor_proto,
			1);
	else
		ck_assert_int_eq(a->error_response->error_code, GRPC_NOT_FOUND);
	ck_assert_ptr_nonnull(a->original_request);
	done(a);
}

TEST(no_question_is_an_error_and_the_stream_goes_on)
{
	question q = GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__INIT;
	struct peer_call *c = reflection("v1");
	answer *a;

	put_question(c, &q);
	peer_run(&peer);
	a = (answer *)take(
		c,
		&grpc__reflection__v1__server_reflection_response__descriptor);
	ck_assert_int_eq(a->error_response->error_code, GRPC_INVALID_ARGUMENT);
	done(a);
	done(ask(c, Q(LIST_SERVICES), ""));
}

TEST(who_reads_no_answers_gets_them_all_later)
{
	enum {
		QUESTIONS = 8000 /* more than a queue holds */
	};
	question q = GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__INIT;
	struct peer_call *c;
	int n = 0;

	peer_close(&peer);
	loop_run(service.loop);
	peer_open(&peer, service.server, service.loop, 0);
	c = reflection("v1");
	q.message_request_case = Q(FILE_BY_FILENAME);
	q.file_by_filename = (char *)"reflection.proto";
	for (int i = 0; i < QUESTIONS; i++)
		put_question(c, &q);
	peer_more(c, "", 0, true);
	peer_run(&peer);
	ck_assert_int_eq(c->status, -1);
	peer_allow(c, 64 << 20);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	for (; buf_len(&c->in); n++)
		done((answer *)take(
			c,
			&grpc__reflection__v1__server_reflection_response__descriptor));
	ck_assert_int_eq(n, QUESTIONS);
}

SUITE("rpc-std", .setup = setup, .teardown = teardown);
