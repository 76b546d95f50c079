/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that make a machine: its configuration, its images part by part,
 * recorded inputs, its device tree and the header of its trace.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <nettle/sha2.h>
#include <pmu/observer.h>

#include "board/loader.h"
#include "codec-answer.h"
#include "codec-request.h"
#include "control-inside.h"
#include "methods/upload-limits.h"
#include "symbol-store.h"
#include "wire/record.h"

enum {
	CHUNK_MAX = 1 << 20
};

/* A seed that is to be random is drawn here: from now on it is a setting. */
static bool draw_seed(struct settings_seed *seed, struct error *e)
{
	if (seed->kind != SETTINGS_SEED_RANDOM)
		return true;
	if (getrandom(seed->bytes, SETTINGS_SEED_DRAWN, 0) !=
	    SETTINGS_SEED_DRAWN)
		return error_set(e, ERROR_HOST, AT(PART_NONE, "HOST_FAILED"),
				 "setting seed: the host gave no random bytes");
	seed->kind = SETTINGS_SEED_BYTES;
	seed->len = SETTINGS_SEED_DRAWN;
	return true;
}

/* The kernel holds the process to what its machine may need. */
static bool limit_memory(struct control *c, const struct machine_config *cfg,
			 struct error *e)
{
	if (!c->cfg->limit || c->cfg->limit(footprint_addresses(
				      cfg->memory, cfg->harts, &cfg->settings)))
		return true;
	return error_set(
		e, ERROR_HOST, AT(PART_NONE, "HOST_FAILED"),
		"the host cannot limit the memory of the machine's process");
}

/* From now on the process can open nothing more. */
static bool shut_in(const struct control *c, struct error *e)
{
	if (!c->cfg->sandbox || c->cfg->sandbox())
		return true;
	return error_set(e, ERROR_HOST, AT(PART_NONE, "HOST_FAILED"),
			 "the sandbox cannot be set up");
}

enum handled control_configure(struct control *c,
			       const Pmu__Internal__ConfigureRequest *q,
			       Pmu__Internal__ConfigureResponse *answer,
			       struct error *e)
{
	static const Pmu__V1__MachineConfig plain =
		PMU__V1__MACHINE_CONFIG__INIT;
	struct machine_config cfg = { 0 };

	if (c->machine) {
		error_set(e, ERROR_NOT_NOW, AT(PART_NONE, "ALREADY_CONFIGURED"),
			  "the machine is configured already");
		return HANDLED_FAILED;
	}
	if (!decode_config(q->config ? q->config : &plain, &cfg, e) ||
	    !draw_seed(&cfg.settings.rng_seed, e))
		return HANDLED_FAILED;
	host_pacer_init(&c->pacer, cfg.settings.clock_hz, host_now);
	/* what is replayed has nobody to wait for */
	if (cfg.settings.pace == SETTINGS_PACE_REAL &&
	    !(q->config && q->config->recorded))
		cfg.pacer = &c->pacer.pacer;
	c->trace.recorder.sbi_memory = q->recording && q->recording->sbi_memory;
	if (!limit_memory(c, &cfg, e) ||
	    !machine_new(&c->machine, &cfg, &c->trace.recorder, e))
		return HANDLED_FAILED;
	if (!control_set_samplers(c, q->recording, e) || !shut_in(c, e)) {
		machine_free(c->machine);
		c->machine = NULL;
		return HANDLED_FAILED;
	}
	if (q->recording && q->recording->processes)
		trace_processes(&c->trace, c->machine);
	answer->machine = control_info(c);
	return HANDLED_DONE;
}

/* Images */

struct image_upload {
	bool open;
	Pmu__V1__ImageKind kind;
	struct machine_image image;
	uint8_t *bytes;
	size_t have, size;
	struct sha256_ctx sha;
};

struct loaded {
	Pmu__V1__ImageKind kind;
	uint64_t address, entry, size, bias;
	char sha256[2 * SHA256_DIGEST_SIZE + 1];
};

struct uploads {
	struct image_upload now; /* on its way in */
	struct loaded images[MACHINE_MAX_IMAGES];
	unsigned n_images;
};

struct uploads *uploads_new(void)
{
	return calloc(1, sizeof(struct uploads));
}

static void drop_upload(struct image_upload *u)
{
	free(u->bytes);
	*u = (struct image_upload){ 0 };
}

void uploads_free(struct uploads *u)
{
	if (u)
		drop_upload(&u->now);
	free(u);
}

void control_end_uploads(struct control *c)
{
	struct image_upload *u = &c->uploads->now;

	/* half an image is none, and its memory is the machine's share */
	if (u->kind != PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS)
		drop_upload(u);
}

static bool check_size(struct control *c, const Pmu__V1__ImageStart *s,
		       struct error *e)
{
	bool symbols = s->kind == PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS;
	uint64_t max = symbols ? UPLOAD_MAX_SYMBOLS
			       : machine_config(c->machine)->memory;

	if (s->total_bytes >= 1 && s->total_bytes <= max)
		return true;
	return error_set(
		e, ERROR_INVALID, AT(PART_IMAGE_SIZE, "BAD_SIZE"),
		"%s: must be from 1 to %" PRIu64 " bytes%s, not %" PRIu64,
		symbols ? "symbols" : "image", max,
		symbols ? "" : ", the machine's memory", s->total_bytes);
}

static bool begin_upload(struct control *c, const Pmu__V1__ImageStart *s,
			 struct error *e)
{
	struct image_upload *u = &c->uploads->now;

	drop_upload(&c->uploads->now);
	if ((unsigned)s->kind > PMU__V1__IMAGE_KIND__IMAGE_KIND_FIRMWARE)
		return error_set(
			e, ERROR_INVALID, AT(PART_IMAGE_KIND, "UNKNOWN_VALUE"),
			"kind: must be a kind of image, not %d", (int)s->kind);
	if (!check_size(c, s, e))
		return false;
	u->bytes = malloc(s->total_bytes);
	if (!u->bytes)
		return error_no_memory(e);
	u->open = true;
	u->size = s->total_bytes;
	u->kind = s->kind;
	u->image.kind = decode_image_kind(s->kind);
	u->image.address = s->address;
	u->image.entry = s->entry;
	sha256_init(&u->sha);
	return true;
}

static bool add_chunk(struct control *c, const ProtobufCBinaryData *chunk,
		      struct error *e)
{
	struct image_upload *u = &c->uploads->now;

	if (!u->open)
		return error_set(e, ERROR_NOT_NOW,
				 AT(PART_IMAGE, "WRONG_ORDER"),
				 "chunk: must follow the start of its image");
	if (chunk->len > CHUNK_MAX || chunk->len > u->size - u->have) {
		drop_upload(&c->uploads->now);
		return error_set(e, ERROR_INVALID, AT(PART_IMAGE, "BAD_SIZE"),
				 "chunk: %zu bytes are more than 1 MiB or than "
				 "total_bytes",
				 chunk->len);
	}
	memcpy(u->bytes + u->have, chunk->data, chunk->len);
	sha256_update(&u->sha, chunk->len, chunk->data);
	u->have += chunk->len;
	return true;
}

/* The hexadecimal digest of all that was sent; to be asked for once. */
static char *digest_of(struct control *c)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	char *hex = control_alloc(c, 2 * sizeof(digest) + 1);

	sha256_digest(&c->uploads->now.sha, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		sprintf(hex + 2 * i, "%02x", digest[i]);
	return hex;
}

static void remember(struct control *c, const char *sha256)
{
	struct image_upload *u = &c->uploads->now;
	struct loaded *l = &c->uploads->images[c->uploads->n_images++];

	strcpy(l->sha256, sha256);
	l->kind = u->kind;
	if (l->kind == PMU__V1__IMAGE_KIND__IMAGE_KIND_UNSPECIFIED)
		l->kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_ELF;
	l->address = u->image.address;
	l->entry = u->image.entry;
	l->size = u->size;
	l->bias = machine_loaded(c->machine)->bias;
}

/* What lies where, and what is to be noted on it. */
static void tell_plan(struct control *c, Pmu__V1__LoadImageResponse *ret)
{
	const struct loader *l = machine_loaded(c->machine);

	ret->parts = control_alloc(c, l->n_ranges * sizeof(*ret->parts));
	for (unsigned i = 0; i < l->n_ranges; i++) {
		Pmu__V1__LoadedPart *part =
			control_message(c, &pmu__v1__loaded_part__descriptor);

		encode_part(&l->ranges[i], part);
		part->what = control_text(c, part->what);
		ret->parts[ret->n_parts++] = part;
	}
	if (!l->note[0])
		return;
	ret->notes = control_alloc(c, sizeof(*ret->notes));
	ret->notes[ret->n_notes++] = control_text(c, l->note);
}

/* Gives the bytes away as a file with symbols, of what was moved by @bias. */
static bool keep_symbols(struct control *c, uint64_t bias, struct error *e)
{
	struct image_upload *u = &c->uploads->now;

	if (!symbol_files_add(c->symbols, u->bytes, u->size, bias, e))
		return false;
	u->bytes = NULL;
	return true;
}

/* What was sent is whole. Of an ELF file the symbols stay, if it has some. */
static bool take_image(struct control *c, Pmu__V1__LoadImageResponse *answer,
		       struct error *e)
{
	struct image_upload *u = &c->uploads->now;

	u->image.bytes = u->bytes;
	u->image.size = u->size;
	answer->sha256 = digest_of(c);
	if (u->kind == PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS)
		return keep_symbols(c, machine_image_bias(c->machine), e);
	if (!machine_load(c->machine, &u->image, &answer->entry, e))
		return false;
	answer->bias = machine_loaded(c->machine)->bias;
	remember(c, answer->sha256);
	tell_plan(c, answer);
	if (loader_is_elf(u->bytes, u->size))
		keep_symbols(c, answer->bias, NULL);
	return true;
}

static enum handled load(struct control *c, Pmu__V1__LoadImageResponse *answer,
			 struct error *e)
{
	bool good = take_image(c, answer, e);

	drop_upload(&c->uploads->now);
	return control_good(good);
}

enum handled control_load_image(struct control *c,
				const Pmu__V1__LoadImageRequest *q,
				Pmu__V1__LoadImageResponse *answer,
				struct error *e)
{
	switch (q->part_case) {
	case PMU__V1__LOAD_IMAGE_REQUEST__PART_START:
		return begin_upload(c, q->start, e) ? HANDLED_TAKEN
						    : HANDLED_FAILED;
	case PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK:
		if (!add_chunk(c, &q->chunk, e))
			return HANDLED_FAILED;
		if (c->uploads->now.have == c->uploads->now.size)
			return load(c, answer, e);
		return HANDLED_TAKEN;
	case PMU__V1__LOAD_IMAGE_REQUEST__PART__NOT_SET:
	case _PMU__V1__LOAD_IMAGE_REQUEST__PART__CASE_IS_INT_SIZE:
		break;
	}
	error_set(e, ERROR_INVALID, AT(PART_IMAGE_PART, "FIELD_MISSING"),
		  "part: must be start or chunk, neither is there");
	return HANDLED_FAILED;
}

enum handled control_queue_inputs(struct control *c,
				  const Pmu__V1__QueueInputsRequest *q,
				  Pmu__V1__QueueInputsResponse *answer,
				  struct error *e)
{
	for (size_t i = 0; i < q->n_inputs; i++) {
		struct input in;

		decode_input(q->inputs[i], &in);
		if (!machine_queue(c->machine, &in, e)) {
			error_within(e, i);
			return HANDLED_FAILED;
		}
	}
	answer->queued = machine_queued(c->machine);
	return HANDLED_DONE;
}

enum handled control_get_device_tree(struct control *c,
				     const Pmu__V1__GetDeviceTreeRequest *q,
				     Pmu__V1__GetDeviceTreeResponse *answer,
				     struct error *e)
{
	void *dtb;

	if (!machine_device_tree(c->machine, q->guest, &dtb, &answer->dtb.len,
				 e))
		return HANDLED_FAILED;
	answer->dtb.data = control_alloc(c, answer->dtb.len);
	memcpy(answer->dtb.data, dtb, answer->dtb.len);
	free(dtb);
	return HANDLED_DONE;
}

/* The header of a trace */

struct pairs {
	struct control *c;
	Pmu__V1__MachineConfig *cfg;
	size_t room;
};

static void count_pair(void *arg, const char *key, const char *value)
{
	struct pairs *p = arg;

	(void)key;
	(void)value;
	p->room++;
}

static void add_pair(void *arg, const char *key, const char *value)
{
	struct pairs *p = arg;
	Pmu__V1__Setting *s =
		control_message(p->c, &pmu__v1__setting__descriptor);

	s->key = control_text(p->c, key);
	s->value = control_text(p->c, value);
	p->cfg->settings[p->cfg->n_settings++] = s;
}

/* What the guest can see, all of it and nothing else. */
static Pmu__V1__MachineConfig *visible_config(struct control *c)
{
	const struct machine_config *cfg = machine_config(c->machine);
	Pmu__V1__MachineConfig *ret =
		control_message(c, &pmu__v1__machine_config__descriptor);
	struct pairs pairs = { c, ret, 0 };

	encode_config(cfg, ret);
	settings_each(&cfg->settings, cfg->harts, count_pair, &pairs);
	ret->settings = control_alloc(c, pairs.room * sizeof(*ret->settings));
	settings_each(&cfg->settings, cfg->harts, add_pair, &pairs);
	return ret;
}

static Pmu__V1__ImageInfo *image_info(struct control *c, struct loaded *l)
{
	Pmu__V1__ImageInfo *info =
		control_message(c, &pmu__v1__image_info__descriptor);

	info->kind = l->kind;
	info->address = l->address;
	info->entry = l->entry;
	info->bytes = l->size;
	info->sha256 = l->sha256;
	info->bias = l->bias;
	return info;
}

enum handled control_set_recording(struct control *c,
				   const Pmu__Internal__SetRecordingRequest *q,
				   Pmu__Internal__SetRecordingResponse *answer,
				   struct error *e)
{
	Pmu__V1__Header *h = control_message(c, &pmu__v1__header__descriptor);

	c->trace.recorder.traps = q->traps;
	c->trace.recorder.sbi_calls = q->sbi_calls;
	c->trace.recorder.csr_accesses = q->csr_accesses;
	c->trace.recorder.deliveries = q->deliveries;
	h->version = RECORD_TRACE_VERSION;
	h->config = visible_config(c);
	h->images = control_alloc(c, MACHINE_MAX_IMAGES * sizeof(*h->images));
	for (unsigned i = 0; i < c->uploads->n_images; i++)
		h->images[h->n_images++] =
			image_info(c, &c->uploads->images[i]);
	h->clock_hz = machine_config(c->machine)->settings.clock_hz;
	h->time_hz = machine_config(c->machine)->settings.time_hz;
	h->xlen = (uint32_t)machine_config(c->machine)->settings.xlen;
	answer->header = h;
	return HANDLED_DONE;
}
