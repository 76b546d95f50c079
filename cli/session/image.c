/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files are streamed: the daemon never sees a path. Whether the bytes are an
 * image, the machine decides.
 */
#include "image.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <pmuclient/machine.h>

#include "cmd/args.h"
#include "gzip.h"
#include "initrd.h"
#include "methods/upload-limits.h"
#include "pmud.h"
#include "text/exit-codes.h"
#include "text/report.h"

bool image_is_rv32(const char *path)
{
	static const char ident[] = "\177ELF\001"; /* class 32 */
	char found[sizeof(ident) - 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, found, sizeof(found));

	if (fd >= 0)
		close(fd);
	return n == sizeof(found) && memcmp(found, ident, sizeof(found)) == 0;
}

static void compare(const char *path, const char *sha256,
		    const Pmu__V1__Header *replay)
{
	for (size_t i = 0; replay && i < replay->n_images; i++) {
		if (strcmp(replay->images[i]->sha256, sha256) == 0)
			return;
	}
	if (replay)
		report_note("%s is not an image of the traced run (sha256 %s): "
			    "this run may be another",
			    path, sha256);
}

/* The part that holds @address, for people. */
static const char *part_at(const Pmu__V1__LoadImageResponse *r,
			   uint64_t address)
{
	for (size_t i = 0; i < r->n_parts; i++) {
		if (address - r->parts[i]->address < r->parts[i]->bytes)
			return r->parts[i]->what;
	}
	return "nowhere";
}

/* What now lies where: of use where it is not all in one ELF file. */
static void report_parts(const Pmu__V1__LoadImageResponse *r)
{
	for (size_t i = 0; i < r->n_parts; i++) {
		const Pmu__V1__LoadedPart *p = r->parts[i];

		report_note("%s: 0x%" PRIx64 "-0x%" PRIx64, p->what, p->address,
			    p->address + p->bytes - 1);
	}
	report_note("execution begins at 0x%" PRIx64 ", in %s", r->entry,
		    part_at(r, r->entry));
}

/* One ELF file lies where it says, if it says so, which needs no words. */
static bool wants_parts(const struct pmuclient_image *image,
			const Pmu__V1__LoadImageResponse *r)
{
	static const char first[] = "image 1";
	const char *last;
	size_t n;

	if (image->kind == PMU__V1__IMAGE_KIND__IMAGE_KIND_DTB || !r->n_parts)
		return false;
	last = r->parts[r->n_parts - 1]->what;
	n = strlen(last);
	return image->kind != PMU__V1__IMAGE_KIND__IMAGE_KIND_UNSPECIFIED ||
	       image->entry || r->bias || n < sizeof(first) - 1 ||
	       strcmp(last + n - (sizeof(first) - 1), first) != 0;
}

/* Source goes to no daemon: without this, all it says is "bad magic". */
static bool is_source(const struct pmuclient_image *image)
{
	static const uint8_t magic[] = { 0xd0, 0x0d, 0xfe, 0xed };

	return image->kind == PMU__V1__IMAGE_KIND__IMAGE_KIND_DTB &&
	       (image->len < sizeof(magic) ||
		memcmp(image->bytes, magic, sizeof(magic)) != 0);
}

/* What one command loads; what lies where is told when all is there. */
struct loading {
	struct pmud *pmud;
	const char *machine;
	const Pmu__V1__Header *replay;	   /* or NULL */
	Pmu__V1__LoadImageResponse *parts; /* to be told, or NULL */
};

static int refuse_source(const char *path)
{
	report_error("%s: not a flattened device tree; `dtc -O dtb' makes "
		     "one of source",
		     path);
	return EXIT_USAGE;
}

/* Sends @f, which is freed, as @image. @path is for messages. */
static int send(struct loading *to, const char *path, struct image_file *f,
		struct pmuclient_image *image)
{
	Pmu__V1__LoadImageResponse *r = NULL;
	int code, err;

	image->bytes = f->bytes;
	image->len = f->len;
	if (is_source(image)) {
		image_unmap(f);
		return refuse_source(path);
	}
	err = pmuclient_load(pmud_client(to->pmud), to->machine, image, &r);
	image_unmap(f);
	if (err) {
		code = pmud_fail(to->pmud, err);
		report_error("%s was not loaded", path);
		return code;
	}
	compare(path, r->sha256, to->replay);
	if (r->bias)
		report_note("%s is position independent: 0x%" PRIx64
			    " is added to its addresses",
			    path, r->bias);
	for (size_t i = 0; i < r->n_notes; i++)
		report_note("%s: %s", path, r->notes[i]);
	if (!wants_parts(image, r)) {
		answer_free(r);
		return EXIT_OK;
	}
	answer_free(to->parts);
	to->parts = r;
	return EXIT_OK;
}

static int send_file(struct loading *to, const char *path,
		     struct pmuclient_image *image)
{
	struct image_file f;
	int code = image_map(&f, path);

	return code ? code : send(to, path, &f, image);
}

/* What a traced run had beside firmware: of its IMAGE or kernel. */
static const Pmu__V1__ImageInfo *traced_image(const Pmu__V1__Header *h)
{
	for (size_t i = 0; h && i < h->n_images; i++)
		if (h->images[i]->kind !=
		    PMU__V1__IMAGE_KIND__IMAGE_KIND_FIRMWARE)
			return h->images[i];
	return NULL;
}

/* --flat and --entry, or as the traced run had them. */
static void take_kind(struct pmuclient_image *image, const struct args *args,
		      const Pmu__V1__Header *replay)
{
	const Pmu__V1__ImageInfo *was = traced_image(replay);

	if (args->flat != ARGS_UNSET) {
		image->kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT;
		image->address = args->flat;
	} else if (was && was->kind == PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT) {
		image->kind = was->kind;
		image->address = was->address;
	}
	if (args->entry != ARGS_UNSET)
		image->entry = args->entry;
	else if (was)
		image->entry = was->entry;
}

static int send_kernel(struct loading *to, const struct args *args)
{
	struct pmuclient_image image = {
		.size = sizeof(image),
		.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_KERNEL,
		.entry = args->entry == ARGS_UNSET ? 0 : args->entry,
	};
	struct image_file f;
	int code = image_map(&f, args->kernel);

	if (code)
		return code;
	code = gzip_expand(&f, args->kernel);
	if (!code)
		return send(to, args->kernel, &f, &image);
	image_unmap(&f);
	return code;
}

/* An ELF file, or flat: what its kind makes of it is the machine's to say. */
static int send_bios(struct loading *to, const struct args *args)
{
	struct pmuclient_image image = {
		.size = sizeof(image),
		.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_FIRMWARE,
	};

	return send_file(to, args->bios, &image);
}

static int send_initrd(struct loading *to, const struct args *args)
{
	struct pmuclient_image image = {
		.size = sizeof(image),
		.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_INITRD,
	};
	struct image_file f;
	int code = initrd_make(args, &f);

	if (code)
		return code;
	return send(to, args->initrd ? args->initrd : "--add", &f, &image);
}

static int send_all(struct loading *to, const struct args *args,
		    const char *path)
{
	struct pmuclient_image image = { .size = sizeof(image) };
	struct pmuclient_image dtb = {
		.size = sizeof(dtb),
		.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_DTB,
	};
	int code = EXIT_OK;

	take_kind(&image, args, to->replay);
	if (args->bios)
		code = send_bios(to, args);
	if (!code && path)
		code = send_file(to, path, &image);
	if (!code && args->kernel)
		code = send_kernel(to, args);
	if (!code && initrd_wanted(args))
		code = send_initrd(to, args);
	if (!code && args->dtb)
		code = send_file(to, args->dtb, &dtb);
	return code;
}

int image_load(struct pmud *s, const char *machine, const struct args *args,
	       const char *path, const Pmu__V1__Header *replay)
{
	struct loading to = { s, machine, replay, NULL };
	int code = send_all(&to, args, path);

	if (!code && to.parts)
		report_parts(to.parts);
	answer_free(to.parts);
	return code;
}

/* A kernel's file with all that debuggers want is some ten times as much. */
static int refuse_size(const char *path, size_t size)
{
	const size_t mib = 1 << 20;

	report_error("%s: must be at most %zu MiB, which is what a machine "
		     "keeps of symbols, not %zu MiB: without debug "
		     "information (strip -g) it may fit, a kernel's "
		     "System.map does, and for traces --symbols takes the "
		     "whole file",
		     path, UPLOAD_MAX_SYMBOLS / mib, (size + mib - 1) / mib);
	return EXIT_USAGE;
}

int image_send_symbols(struct pmud *s, const char *machine, const char *path)
{
	struct pmuclient_image image = {
		.size = sizeof(image),
		.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS,
	};
	struct loading to = { .pmud = s, .machine = machine };
	struct image_file f;
	int code = image_map(&f, path);

	if (!code && f.len > UPLOAD_MAX_SYMBOLS) {
		code = refuse_size(path, f.len);
		image_unmap(&f);
	}
	return code ? code : send(&to, path, &f, &image);
}
