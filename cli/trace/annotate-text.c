/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the line changes it is told, with its text if the file is still where
 * the compiler found it.
 */
#include "annotate-text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/exit-codes.h"
#include "text/json.h"
#include "text/names.h"
#include "text/plain-text.h"
#include "text/regular-file.h"
#include "text/report.h"

enum {
	SOURCE_MAX = 4096,	/* bytes of a line of source that are told */
	SOURCE_BYTES = 1 << 30, /* that are read, of all sources */
};

struct annotate_out {
	FILE *out;
	bool json;
	json_t *functions, *function, *insns; /* the present one's */
	bool any;
	const char *path; /* of the line told last */
	int line;
	FILE *source; /* of @path, or NULL */
	int err;      /* why there is none, an errno */
	int at;	      /* the line it stands before */
	long left;    /* of SOURCE_BYTES */
};

struct annotate_out *annotate_out_new(FILE *out, bool json)
{
	struct annotate_out *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->out = out;
	o->left = SOURCE_BYTES;
	o->json = json;
	o->functions = json ? json_array() : NULL;
	return o;
}

static double percent(uint64_t n, uint64_t of)
{
	return of ? 100.0 * (double)n / (double)of : 0;
}

/* As a number of two digits behind the point. */
static json_t *share(uint64_t n, uint64_t of)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2f", percent(n, of));
	return json_real(strtod(text, NULL));
}

static json_t *text_or_null(const char *text)
{
	return text ? json_text(text) : json_null();
}

static void begin_json(struct annotate_out *o,
		       const struct annotate_function *f)
{
	o->function = json_object();
	o->insns = json_array();
	json_add(&o->function, "event", json_text(f->event));
	json_add(&o->function, "function", text_or_null(f->function));
	json_add(&o->function, "file", text_or_null(f->path));
	json_add(&o->function, "samples", json_decimal(f->samples));
	json_add(&o->function, "percent", share(f->samples, f->of));
}

void annotate_out_function(struct annotate_out *o,
			   const struct annotate_function *f)
{
	if (o->json) {
		begin_json(o, f);
		return;
	}
	if (o->any)
		fputc('\n', o->out);
	o->any = true;
	o->line = 0;
	plain_printf(o->out,
		     "%s: %s, %" PRIu64 " of %" PRIu64
		     " samples (%.2f%%)%s%s\n",
		     f->event, f->function ? f->function : "[unknown]",
		     f->samples, f->of, percent(f->samples, f->of),
		     f->path ? ", " : "", f->path ? f->path : "");
	fprintf(o->out, "%8s %10s  %-18s %s\n", "PERCENT", "SAMPLES", "ADDRESS",
		"INSTRUCTION");
}

static void close_source(struct annotate_out *o)
{
	if (o->source)
		fclose(o->source);
	o->source = NULL;
}

static void open_source(struct annotate_out *o, const char *path)
{
	int fd = regular_file_open(path);

	close_source(o);
	o->err = fd < 0 ? errno : 0;
	o->source = fd < 0 ? NULL : fdopen(fd, "r");
	if (fd >= 0 && !o->source)
		close(fd);
	o->at = 1;
	o->path = path;
}

/* The text of line @line of the open source into @ret. False: there is none. */
static bool read_source(struct annotate_out *o, int line, char ret[SOURCE_MAX])
{
	size_t n = 0;
	int c;

	if (!o->source)
		return false;
	if (line < o->at) {
		if (fseek(o->source, 0, SEEK_SET))
			return false;
		o->at = 1;
	}
	while (o->at <= line && o->left && (c = getc(o->source)) != EOF) {
		o->left--;
		if (c != '\n' && o->at == line && n < SOURCE_MAX - 1)
			ret[n++] = (char)c;
		o->at += c == '\n';
	}
	ret[n] = '\0';
	return o->at > line;
}

/* NULL: it is told, or there is no such file here, as is mostly so. */
static const char *why_left_out(const struct annotate_out *o)
{
	if (o->source)
		return o->left ? NULL : "too much to read";
	/* a socket cannot even be opened */
	if (o->err == EINVAL || o->err == ENXIO)
		return "no regular file";
	return o->err == ENOENT || o->err == ENOTDIR ? NULL : strerror(o->err);
}

static void put_source(struct annotate_out *o, const struct symbol *s)
{
	char text[SOURCE_MAX] = "";
	const char *code = text, *why;
	char line[NAME_MAX_LEN];

	if (!s->file || !s->path ||
	    (o->path && !strcmp(o->path, s->path) && o->line == s->line))
		return;
	if (!o->path || strcmp(o->path, s->path) != 0)
		open_source(o, s->path);
	o->line = s->line;
	if (s->line && read_source(o, s->line, text)) {
		text[strcspn(text, "\r")] = '\0';
		code += strspn(text, " \t");
	}
	why = why_left_out(o);
	plain_printf(o->out, "%20s %s:%s%s%s", "", s->file,
		     name_line((uint32_t)s->line, line), *code ? ": " : "",
		     code);
	if (why)
		fprintf(o->out, " [source left out: %s]", why);
	fputc('\n', o->out);
}

static void line_json(struct annotate_out *o, const struct annotate_line *l)
{
	char address[24];
	json_t *one = json_object();

	snprintf(address, sizeof(address), "%#" PRIx64, l->address);
	json_add(&one, "address", json_text(address));
	json_add(&one, "text", text_or_null(*l->text ? l->text : NULL));
	json_add(&one, "samples", json_decimal(l->samples));
	json_add(&one, "percent", share(l->samples, l->of));
	if (l->at.file)
		json_add(&one, "source", json_text(l->at.path));
	if (l->at.file && l->at.line)
		json_add(&one, "line", json_integer(l->at.line));
	json_append(&o->insns, one);
}

void annotate_out_line(struct annotate_out *o, const struct annotate_line *l)
{
	char address[24];

	if (o->json) {
		line_json(o, l);
		return;
	}
	put_source(o, &l->at);
	snprintf(address, sizeof(address), "%#" PRIx64, l->address);
	if (l->samples)
		plain_printf(o->out, "%8.2f %10" PRIu64 "  %-18s %s\n",
			     percent(l->samples, l->of), l->samples, address,
			     *l->text ? l->text : "-");
	else
		plain_printf(o->out, "%8s %10s  %-18s %s\n", "", "", address,
			     l->text);
}

void annotate_out_end(struct annotate_out *o)
{
	close_source(o);
	o->path = NULL;
	if (!o->json)
		return;
	json_add(&o->function, "instructions", o->insns);
	json_append(&o->functions, o->function);
	o->insns = o->function = NULL;
}

int annotate_out_free(struct annotate_out *o, int code)
{
	if (!o)
		return code;
	close_source(o);
	if (o->json && !code) {
		json_t *all = json_object();

		json_add(&all, "functions", o->functions);
		o->functions = NULL;
		code = json_put(o->out, all,
				JSON_INDENT(2) | JSON_REAL_PRECISION(6));
	}
	json_decref(o->insns);
	json_decref(o->function);
	json_decref(o->functions);
	free(o);
	return code;
}
