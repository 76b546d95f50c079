/* SPDX-License-Identifier: BSD-2-Clause */
/* Whoever wants all bytes asks for JSON. */
#include "bytes-text.h"

enum { /* at most */
	TEXT_SHOWN = 48,
	HEX_SHOWN = 16
};

static size_t shown(const ProtobufCBinaryData *b, size_t most)
{
	return b->len < most ? b->len : most;
}

void bytes_as_text(FILE *out, const ProtobufCBinaryData *b, uint64_t all)
{
	size_t n = shown(b, TEXT_SHOWN);

	fputc('"', out);
	for (size_t i = 0; i < n; i++) {
		int c = b->data[i];

		if (c == '\n')
			fputs("\\n", out);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c >= ' ' && c < 0x7f)
			fputc(c, out);
		else
			fprintf(out, "\\x%02x", (unsigned)c);
	}
	fputs(n < all ? "\"..." : "\"", out);
}

void bytes_as_hex(FILE *out, const ProtobufCBinaryData *b, uint64_t all)
{
	size_t n = shown(b, HEX_SHOWN);

	for (size_t i = 0; i < n; i++)
		fprintf(out, "%02x", (unsigned)b->data[i]);
	if (n < all)
		fputs("...", out);
}
