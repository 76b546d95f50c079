/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A trace has the SHA-256 of each image. Names out of another file would look
 * as right as those of the right one, so that it is not taken silently.
 */
#include "symbol-file.h"

#include <stdio.h>
#include <string.h>

#include <nettle/sha2.h>

#include "cmd/args.h"
#include "text/exit-codes.h"
#include "session/image.h"
#include "session/kernel-symbols.h"
#include "text/regular-file.h"
#include "text/report.h"

enum {
	SUM_TEXT = 2 * SHA256_DIGEST_SIZE + 1
};

/* Returns an exit code after an error was said. */
static int sum_of(const char *path, char ret[SUM_TEXT])
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx sha;
	struct image_file f;
	int code = image_map(&f, path);

	if (code)
		return code;
	sha256_init(&sha);
	sha256_update(&sha, f.len, f.bytes);
	sha256_digest(&sha, sizeof(digest), digest);
	image_unmap(&f);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(ret + 2 * i, 3, "%02x", digest[i]);
	return EXIT_OK;
}

/* The image that is the file of @sum, or NULL. */
static const Pmu__V1__ImageInfo *image_of(const Pmu__V1__Header *h,
					  const char *sum)
{
	for (size_t i = 0; i < h->n_images; i++)
		if (strcmp(h->images[i]->sha256, sum) == 0)
			return h->images[i];
	return NULL;
}

/* Is it what runs on firmware, or without any? */
static bool is_program(const Pmu__V1__ImageInfo *image)
{
	return image->kind != PMU__V1__IMAGE_KIND__IMAGE_KIND_FIRMWARE &&
	       image->kind != PMU__V1__IMAGE_KIND__IMAGE_KIND_INITRD &&
	       image->kind != PMU__V1__IMAGE_KIND__IMAGE_KIND_DTB;
}

/*
 * How far @sum was moved, or, if it is no image, what MachineInfo has: the
 * first program that was, or firmware where there is nothing else.
 */
static uint64_t bias_of(const Pmu__V1__Header *h, const char *sum)
{
	uint64_t program = 0, firmware = 0;
	bool alone = true;

	for (size_t i = 0; i < h->n_images; i++) {
		const Pmu__V1__ImageInfo *image = h->images[i];

		if (strcmp(image->sha256, sum) == 0)
			return image->bias;
		if (image->kind == PMU__V1__IMAGE_KIND__IMAGE_KIND_FIRMWARE)
			firmware = image->bias;
		if (!is_program(image))
			continue;
		alone = false;
		program = program ? program : image->bias;
	}
	return alone ? firmware : program;
}

/* The sum of the file, which is read only if it can matter. */
static bool may_be_moved(const Pmu__V1__Header *h, const char *path, char *sum)
{
	for (size_t i = 0; h && i < h->n_images; i++)
		if (h->images[i]->bias)
			return sum_of(path, sum) == EXIT_OK;
	return false;
}

static uint64_t bias_in(const Pmu__V1__Header *h, const char *path)
{
	char sum[SUM_TEXT];

	return may_be_moved(h, path, sum) ? bias_of(h, sum) : 0;
}

/* Of a file that need not be an image: it is where a hypervisor put it. */
static uint64_t guests_bias_in(const Pmu__V1__Header *h, const char *path)
{
	const Pmu__V1__ImageInfo *image = NULL;
	char sum[SUM_TEXT];

	if (may_be_moved(h, path, sum))
		image = image_of(h, sum);
	return image ? image->bias : 0;
}

/* Is one of the images a file that has symbols, as kernels mostly are not? */
static bool has_elf(const Pmu__V1__Header *h)
{
	for (size_t i = 0; i < h->n_images; i++) {
		switch (h->images[i]->kind) {
		case PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT:
		case PMU__V1__IMAGE_KIND__IMAGE_KIND_DTB:
		case PMU__V1__IMAGE_KIND__IMAGE_KIND_INITRD:
		case PMU__V1__IMAGE_KIND__IMAGE_KIND_KERNEL:
		case PMU__V1__IMAGE_KIND__IMAGE_KIND_FIRMWARE:
			break;
		case PMU__V1__IMAGE_KIND__IMAGE_KIND_UNSPECIFIED:
		case PMU__V1__IMAGE_KIND__IMAGE_KIND_ELF:
		case PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS:
		case _PMU__V1__IMAGE_KIND_IS_INT_SIZE:
			return true;
		}
	}
	return false;
}

bool symbol_file_is_of(const struct args *args, const Pmu__V1__Header *header)
{
	char sum[SUM_TEXT];

	return sum_of(args->symbols, sum) == EXIT_OK && image_of(header, sum);
}

static int check(const struct args *args, const Pmu__V1__Header *header,
		 bool elf)
{
	char sum[SUM_TEXT];
	int code;

	if (!header || !header->n_images || args->force)
		return EXIT_OK;
	if (!elf) {
		report_note("%s is a list of symbols: whether they are those "
			    "of what ran cannot be known",
			    args->symbols);
		return EXIT_OK;
	}
	if (!has_elf(header)) {
		report_note(
			"what ran was loaded as raw bytes: whether %s has its "
			"names cannot be known",
			args->symbols);
		return EXIT_OK;
	}
	code = sum_of(args->symbols, sum);
	if (code || image_of(header, sum))
		return code;
	report_error(
		"%s is not what ran (its sha256 begins with %.12s, that of "
		"what ran with %.12s): its names would be wrong; --force "
		"takes it, as for the unstripped file of a stripped one",
		args->symbols, sum, header->images[0]->sha256);
	return EXIT_USAGE;
}

static void note_lacks(struct symbols *s, const char *path, bool elf)
{
	if (!elf) /* a list has no more, as everybody knows */
		return;
	if (!symbols_have_functions(s))
		report_note("%s has no symbols (it is stripped): functions are "
			    "not known",
			    path);
	if (!symbols_have_lines(s))
		report_note("%s has no debug information: source lines are not "
			    "known",
			    path);
}

/* A list is copied, an ELF file read where it is. */
static int open_file(struct symbols **ret, const char *path, uint64_t bias,
		     bool *ret_elf)
{
	const struct symbols_file file = {
		.path = path,
		.bias = bias,
		.open = regular_file_find,
	};
	struct image_file f;
	const char *why;
	int code = image_map(&f, path);

	if (code)
		return code;
	*ret_elf = symbols_are_elf(f.bytes, f.len);
	*ret = *ret_elf ? symbols_open(&file, &why)
			: symbols_open_memory(f.bytes, f.len, &why);
	image_unmap(&f);
	if (*ret)
		return EXIT_OK;
	report_error("%s: %s", path, why);
	return EXIT_FAILED;
}

int symbol_file_open(struct symbols **ret, const struct args *args,
		     const Pmu__V1__Header *header)
{
	bool elf;
	int code;

	*ret = NULL;
	if (!args->symbols)
		return EXIT_OK;
	if (kernel_symbols_are_meant(args->symbols)) {
		report_error("--symbols %s: a guest's memory has them, no "
			     "trace: give --machine, or the file that `pmuctl "
			     "machine %s -o FILE' wrote",
			     KERNEL_SYMBOLS, KERNEL_SYMBOLS);
		return EXIT_USAGE;
	}
	code = open_file(ret, args->symbols, bias_in(header, args->symbols),
			 &elf);
	if (code)
		return code;
	code = check(args, header, elf);
	if (code) {
		symbols_close(*ret);
		*ret = NULL;
		return code;
	}
	note_lacks(*ret, args->symbols, elf);
	return EXIT_OK;
}

int symbol_file_open_guests(struct symbols **ret, const struct args *args,
			    const Pmu__V1__Header *header)
{
	bool elf;
	int code;

	*ret = NULL;
	if (!args->guest_symbols)
		return EXIT_OK;
	code = open_file(ret, args->guest_symbols,
			 guests_bias_in(header, args->guest_symbols), &elf);
	if (!code)
		note_lacks(*ret, args->guest_symbols, elf);
	return code;
}
