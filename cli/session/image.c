/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files are mapped and streamed: the daemon never sees a path. Whether the
 * bytes are an image, the machine decides.
 */
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pmuclient/machine.h>

#include "cmd/args.h"
#include "pmud.h"
#include "text/exit-codes.h"
#include "text/report.h"

static int map_fd(struct image_file *f, int fd, const char *path)
{
	struct stat st;
	void *bytes;

	if (fstat(fd, &st) < 0) {
		report_error("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	if (!S_ISREG(st.st_mode) || st.st_size == 0) {
		report_error("%s: %s", path,
			     S_ISREG(st.st_mode) ? "the file is empty"
						 : "not a regular file");
		return EXIT_FAILED;
	}
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED) {
		report_error("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	f->bytes = bytes;
	f->len = (size_t)st.st_size;
	return EXIT_OK;
}

int image_map(struct image_file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), code;

	if (fd < 0) {
		report_error("%s: %s", path, strerror(errno));
		return errno == ENOENT	 ? EXIT_NOT_FOUND
		       : errno == EACCES ? EXIT_DENIED
					 : EXIT_FAILED;
	}
	code = map_fd(f, fd, path);
	close(fd);
	return code;
}

void image_unmap(struct image_file *f)
{
	munmap((void *)f->bytes, f->len);
}

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
	return image->kind == PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT ||
	       image->entry || n < sizeof(first) - 1 ||
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

static int load(struct pmud *s, const char *machine, const char *path,
		struct pmuclient_image *image, const Pmu__V1__Header *replay)
{
	Pmu__V1__LoadImageResponse *r = NULL;
	struct image_file f;
	int code = image_map(&f, path), err;

	if (code)
		return code;
	image->bytes = f.bytes;
	image->len = f.len;
	if (is_source(image)) {
		image_unmap(&f);
		report_error(
			"%s: not a flattened device tree; `dtc -O dtb' makes "
			"one of source",
			path);
		return EXIT_USAGE;
	}
	err = pmuclient_load(pmud_client(s), machine, image, &r);
	image_unmap(&f);
	if (err) {
		code = pmud_fail(s, err);
		report_error("%s was not loaded", path);
		return code;
	}
	compare(path, r->sha256, replay);
	for (size_t i = 0; i < r->n_notes; i++)
		report_note("%s: %s", path, r->notes[i]);
	if (wants_parts(image, r))
		report_parts(r);
	answer_free(r);
	return EXIT_OK;
}

/* --flat and --entry, or as the traced run had them. */
static void take_kind(struct pmuclient_image *image, const struct args *args,
		      const Pmu__V1__Header *replay)
{
	if (args->flat != ARGS_UNSET) {
		image->kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT;
		image->address = args->flat;
	} else if (replay && replay->n_images &&
		   replay->images[0]->kind ==
			   PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT) {
		image->kind = replay->images[0]->kind;
		image->address = replay->images[0]->address;
	}
	if (args->entry != ARGS_UNSET)
		image->entry = args->entry;
	else if (replay && replay->n_images)
		image->entry = replay->images[0]->entry;
}

int image_load(struct pmud *s, const char *machine, const struct args *args,
	       const char *path, const Pmu__V1__Header *replay)
{
	struct pmuclient_image image = { 0 };
	int code = EXIT_OK;

	take_kind(&image, args, replay);
	if (path)
		code = load(s, machine, path, &image, replay);
	if (!code && args->dtb) {
		image.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_DTB;
		image.address = image.entry = 0;
		code = load(s, machine, args->dtb, &image, replay);
	}
	return code;
}

int image_send_symbols(struct pmud *s, const char *machine, const char *path)
{
	struct pmuclient_image image = {
		.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS,
	};

	return load(s, machine, path, &image, NULL);
}
