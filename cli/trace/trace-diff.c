/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two traces of the same run are the same bytes. Where they are not, the first
 * record that differs is the place to look; a header that differs is told, but
 * does not hide it.
 */
#include "trace-diff.h"

#include <inttypes.h>
#include <string.h>

#include "record-style.h"
#include "text/json.h"
#include "text/names.h"
#include "text/plain-text.h"
#include "text/report.h"
#include "wire/message.h"

/* What cannot be compared may be anything. */
static bool differ(const ProtobufCMessage *a, const ProtobufCMessage *b)
{
	int equal = message_equal(a, b);

	if (equal < 0)
		report_no_memory("headers");
	return equal <= 0;
}

/* The next record. As trace_next(). */
static int next(struct trace_reader *r, const struct record_style *style,
		struct trace_item *ret)
{
	int n = trace_next(r, ret);

	return n == 1 && !record_style_learn(style, ret->record) ? -1 : n;
}

void trace_diff(struct trace_reader *a, struct trace_reader *b,
		const struct record_style style[2], struct trace_diff *ret)
{
	struct trace_item x, y;
	int nx, ny;

	memset(ret, 0, sizeof(*ret));
	ret->headers_differ =
		differ(&trace_header(a)->base, &trace_header(b)->base);
	for (;; ret->index++) {
		nx = next(a, &style[0], &x);
		ny = next(b, &style[1], &y);
		if (nx != 1 || ny != 1 || x.len != y.len ||
		    memcmp(x.bytes, y.bytes, x.len) != 0)
			break;
	}
	ret->a = nx == 1 ? x.record : NULL;
	ret->b = ny == 1 ? y.record : NULL;
	if (nx < 0 || ny < 0)
		ret->end = DIFF_ERROR;
	else if (nx && ny)
		ret->end = DIFF_RECORDS;
	else if (nx || ny)
		ret->end = DIFF_SHORTER;
	else
		ret->end = ret->headers_differ ? DIFF_HEADERS : DIFF_SAME;
}

static void diff_number(FILE *out, const char *what, uint64_t a, uint64_t b)
{
	if (a != b)
		fprintf(out, "%s: %" PRIu64 " and %" PRIu64 "\n", what, a, b);
}

static void diff_mode(FILE *out, Pmu__V1__StartMode a, Pmu__V1__StartMode b)
{
	char x[NAME_MAX_LEN], y[NAME_MAX_LEN];

	if (a != b)
		fprintf(out, "start mode: %s and %s\n",
			name_enum(&pmu__v1__start_mode__descriptor, a, x),
			name_enum(&pmu__v1__start_mode__descriptor, b, y));
}

static const char *setting(const Pmu__V1__MachineConfig *c, const char *key)
{
	for (size_t i = 0; c && i < c->n_settings; i++) {
		if (strcmp(c->settings[i]->key, key) == 0)
			return c->settings[i]->value;
	}
	return "not set";
}

/* Settings of @a that are others in @b, or only those that @b lacks. */
static void diff_settings(FILE *out, const Pmu__V1__MachineConfig *a,
			  const Pmu__V1__MachineConfig *b, bool lacking)
{
	for (size_t i = 0; a && i < a->n_settings; i++) {
		const char *key = a->settings[i]->key;
		const char *x = a->settings[i]->value, *y = setting(b, key);

		if (lacking && strcmp(y, "not set") == 0)
			plain_printf(out, "setting %s: %s and %s\n", key, y, x);
		else if (!lacking && strcmp(x, y) != 0)
			plain_printf(out, "setting %s: %s and %s\n", key, x, y);
	}
}

static void diff_images(FILE *out, const Pmu__V1__Header *a,
			const Pmu__V1__Header *b)
{
	diff_number(out, "images", a->n_images, b->n_images);
	for (size_t i = 0; i < a->n_images && i < b->n_images; i++) {
		if (differ(&a->images[i]->base, &b->images[i]->base))
			plain_printf(out, "image %zu: sha256 %s and %s\n", i,
				     a->images[i]->sha256,
				     b->images[i]->sha256);
	}
}

void trace_diff_headers(FILE *out, const Pmu__V1__Header *a,
			const Pmu__V1__Header *b)
{
	static const Pmu__V1__MachineConfig none =
		PMU__V1__MACHINE_CONFIG__INIT;
	const Pmu__V1__MachineConfig *x = a->config ? a->config : &none;
	const Pmu__V1__MachineConfig *y = b->config ? b->config : &none;

	diff_number(out, "harts", x->harts, y->harts);
	diff_number(out, "memory", x->memory_bytes, y->memory_bytes);
	diff_mode(out, x->start_mode, y->start_mode);
	if (strcmp(x->bootargs, y->bootargs) != 0)
		plain_printf(out, "bootargs: %s and %s\n", x->bootargs,
			     y->bootargs);
	diff_settings(out, x, y, false);
	diff_settings(out, y, x, true);
	diff_images(out, a, b);
	diff_number(out, "clock Hz", a->clock_hz, b->clock_hz);
	diff_number(out, "time Hz", a->time_hz, b->time_hz);
	diff_number(out, "xlen", a->xlen, b->xlen);
}

/* As in JSON; what only one of them has is null in the other. */

static void diff_values(FILE *out, const char *path, json_t *a, json_t *b);

static void diff_value(FILE *out, const char *path, const char *key, json_t *a,
		       json_t *b)
{
	char inner[NAME_MAX_LEN];

	snprintf(inner, sizeof(inner), "%s%s%s", path, *path ? "." : "", key);
	diff_values(out, inner, a, b);
}

/* Lists of as many messages; of numbers all stand beside each other. */
static bool are_alike(json_t *a, json_t *b)
{
	return json_is_array(a) && json_array_size(a) == json_array_size(b) &&
	       json_is_object(json_array_get(a, 0)) &&
	       json_is_object(json_array_get(b, 0));
}

static void diff_lists(FILE *out, const char *path, json_t *a, json_t *b)
{
	char inner[NAME_MAX_LEN];

	for (size_t i = 0; i < json_array_size(a); i++) {
		snprintf(inner, sizeof(inner), "%s[%zu]", path, i);
		diff_values(out, inner, json_array_get(a, i),
			    json_array_get(b, i));
	}
}

static void put_value(FILE *out, json_t *value)
{
	if (!value)
		fputs("null", out);
	else if (json_write(out, value, JSON_ENCODE_ANY | JSON_COMPACT) &&
		 !ferror(out))
		report_no_memory("fields of the records");
}

static void diff_values(FILE *out, const char *path, json_t *a, json_t *b)
{
	const char *key;
	json_t *value;

	if (json_equal(a, b))
		return;
	if (are_alike(a, b)) {
		diff_lists(out, path, a, b);
		return;
	}
	if (json_is_object(a) && json_is_object(b)) {
		json_object_foreach(a, key, value) diff_value(
			out, path, key, value, json_object_get(b, key));
		json_object_foreach(b, key, value) if (!json_object_get(a, key))
			diff_value(out, path, key, NULL, value);
		return;
	}
	fprintf(out, "%s: ", path);
	put_value(out, a);
	fputs(" and ", out);
	put_value(out, b);
	fputc('\n', out);
}

void trace_diff_fields(FILE *out, const Pmu__V1__Record *a,
		       const Pmu__V1__Record *b)
{
	json_t *x = json_message(&a->base), *y = json_message(&b->base);

	if (x && y)
		diff_values(out, "", x, y);
	else
		report_no_memory("fields of the records");
	json_decref(x);
	json_decref(y);
}
