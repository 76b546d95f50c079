/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the line changes it is told, with its text if the file is still where
 * the compiler found it.
 */
#include "annotate-text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "text/exit-codes.h"
#include "text/names.h"
#include "text/report.h"

enum {
	SOURCE_MAX = 4096, /* bytes of a line of source that are looked at */
};

struct annotate_out {
	FILE *out;
	json_t *functions, *insns; /* NULL: text */
	bool any;
	const char *path; /* of the line told last */
	int line;
	FILE *source; /* of @path, or NULL */
	int at;	      /* the line it stands before */
};

struct annotate_out *annotate_out_new(FILE *out, bool json)
{
	struct annotate_out *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->out = out;
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
	return text ? json_string(text) : json_null();
}

static void begin_json(struct annotate_out *o,
		       const struct annotate_function *f)
{
	json_t *one = json_object();

	o->insns = json_array();
	json_object_set_new(one, "event", json_string(f->event));
	json_object_set_new(one, "function", text_or_null(f->function));
	json_object_set_new(one, "file", text_or_null(f->path));
	json_object_set_new(one, "samples",
			    json_sprintf("%" PRIu64, f->samples));
	json_object_set_new(one, "percent", share(f->samples, f->of));
	json_object_set_new(one, "instructions", o->insns);
	json_array_append_new(o->functions, one);
}

void annotate_out_function(struct annotate_out *o,
			   const struct annotate_function *f)
{
	if (o->functions) {
		begin_json(o, f);
		return;
	}
	if (o->any)
		fputc('\n', o->out);
	o->any = true;
	o->line = 0;
	fprintf(o->out, "%s: %s, %" PRIu64 " of %" PRIu64 " samples (%.2f%%)",
		f->event, f->function ? f->function : "[unknown]", f->samples,
		f->of, percent(f->samples, f->of));
	fprintf(o->out, "%s%s\n%8s %10s  %-18s %s\n", f->path ? ", " : "",
		f->path ? f->path : "", "PERCENT", "SAMPLES", "ADDRESS",
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
	close_source(o);
	o->source = fopen(path, "re");
	o->at = 1;
	o->path = path;
}

/* The text of line @line of the open source into @ret. False: there is none. */
static bool read_source(struct annotate_out *o, int line, char ret[SOURCE_MAX])
{
	if (!o->source)
		return false;
	if (line < o->at) {
		rewind(o->source);
		o->at = 1;
	}
	while (o->at <= line && fgets(ret, SOURCE_MAX, o->source))
		o->at += strchr(ret, '\n') != NULL;
	return o->at > line;
}

static void put_source(struct annotate_out *o, const struct symbol *s)
{
	char text[SOURCE_MAX] = "";
	const char *code = text;
	char line[NAME_MAX_LEN];

	if (!s->file || !s->path ||
	    (o->path && !strcmp(o->path, s->path) && o->line == s->line))
		return;
	if (!o->path || strcmp(o->path, s->path) != 0)
		open_source(o, s->path);
	o->line = s->line;
	if (s->line && read_source(o, s->line, text)) {
		text[strcspn(text, "\r\n")] = '\0';
		code += strspn(text, " \t");
	}
	fprintf(o->out, "%20s %s:%s%s%s\n", "", s->file,
		name_line((uint32_t)s->line, line), *code ? ": " : "", code);
}

static void line_json(struct annotate_out *o, const struct annotate_line *l)
{
	char address[24];
	json_t *one = json_object();

	snprintf(address, sizeof(address), "%#" PRIx64, l->address);
	json_object_set_new(one, "address", json_string(address));
	json_object_set_new(one, "text",
			    text_or_null(*l->text ? l->text : NULL));
	json_object_set_new(one, "samples",
			    json_sprintf("%" PRIu64, l->samples));
	json_object_set_new(one, "percent", share(l->samples, l->of));
	if (l->at.file)
		json_object_set_new(one, "source", json_string(l->at.path));
	if (l->at.file && l->at.line)
		json_object_set_new(one, "line", json_integer(l->at.line));
	json_array_append_new(o->insns, one);
}

void annotate_out_line(struct annotate_out *o, const struct annotate_line *l)
{
	char address[24];

	if (o->functions) {
		line_json(o, l);
		return;
	}
	put_source(o, &l->at);
	snprintf(address, sizeof(address), "%#" PRIx64, l->address);
	if (l->samples)
		fprintf(o->out, "%8.2f %10" PRIu64 "  %-18s %s\n",
			percent(l->samples, l->of), l->samples, address,
			*l->text ? l->text : "-");
	else
		fprintf(o->out, "%8s %10s  %-18s %s\n", "", "", address,
			l->text);
}

void annotate_out_end(struct annotate_out *o)
{
	close_source(o);
	o->path = NULL;
}

int annotate_out_free(struct annotate_out *o, int code)
{
	if (!o)
		return code;
	close_source(o);
	if (o->functions && !code) {
		json_t *all = json_pack("{s:O}", "functions", o->functions);

		if (!all || json_dumpf(all, o->out,
				       JSON_INDENT(2) | JSON_REAL_PRECISION(6)))
			code = EXIT_FAILED;
		fputc('\n', o->out);
		json_decref(all);
	}
	json_decref(o->functions);
	free(o);
	return code;
}
