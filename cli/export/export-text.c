/* SPDX-License-Identifier: BSD-2-Clause */
/* What each of the formats cannot bear in a name is written otherwise. */
#include "export-text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "text/json.h"
#include "text/plain-text.h"

static bool continues(const char *text, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return false;
	}
	return true;
}

/* Bytes of the character of UTF-8 that @text begins with; 0: it is none. */
static size_t utf8_length(const char *text)
{
	unsigned char a = (unsigned char)text[0];
	unsigned char b = a ? (unsigned char)text[1] : 0;
	size_t n = a < 0x80   ? 1
		   : a < 0xc2 ? 0
		   : a < 0xe0 ? 2
		   : a < 0xf0 ? 3
			      : 4;

	if (n < 2 || a > 0xf4)
		return n < 2 ? n : 0;
	if (!continues(text, n))
		return 0;
	/* too long a form, a surrogate, or above all characters */
	if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) ||
	    (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f))
		return 0;
	return n;
}

/* One character or one wrong byte. Returns its bytes. */
static size_t put_one(FILE *out, const char *text, const char *wrong)
{
	size_t n = utf8_length(text);

	if (n)
		fwrite(text, 1, n, out);
	else
		fputs(wrong, out);
	return n ? n : 1;
}

static void put_string(FILE *out, const char *text)
{
	fputc('"', out);
	while (*text) {
		unsigned char c = (unsigned char)*text;
		size_t control = plain_control(text);

		if (c == '"' || c == '\\') {
			fprintf(out, "\\%c", *text++);
		} else if (control) {
			text += control;
			fprintf(out, "\\u%04x", (unsigned char)text[-1]);
		} else if (json_char(text)) {
			text += put_one(out, text, "");
		} else {
			fprintf(out, "\\u%04x", (unsigned)JSON_BYTE + c);
			text++;
		}
	}
	fputc('"', out);
}

void export_json_text(FILE *out, const char *key, const char *text)
{
	fprintf(out, "\"%s\":", key);
	put_string(out, text);
}

void export_json_number(FILE *out, const char *key, uint64_t value)
{
	fprintf(out, "\"%s\":\"%" PRIu64 "\"", key, value);
}

void export_json_address(FILE *out, const char *key, uint64_t value)
{
	fprintf(out, "\"%s\":\"0x%" PRIx64 "\"", key, value);
}

void export_plain(FILE *out, const char *text, const char *without)
{
	while (*text) {
		size_t n = plain_control(text);

		if (!n)
			fputc(strchr(without, *text) ? '?' : *text, out);
		for (text += n ? n : 1; n; n--)
			fputc('?', out);
	}
}

void export_to_utf8(char *text)
{
	while (*text) {
		size_t n = utf8_length(text);

		if (!n)
			*text = '?';
		text += n ? n : 1;
	}
}

void export_html_text(FILE *out, const char *text)
{
	while (*text) {
		size_t control = plain_control(text);

		if (strchr("<>&\"'", *text)) {
			fprintf(out, "&#%d;", *text++);
		} else if (control) {
			for (text += control; control; control--)
				fputc('?', out);
		} else {
			text += put_one(out, text, "&#xfffd;");
		}
	}
}
