/* SPDX-License-Identifier: BSD-2-Clause */
/* ELF files of one function, which a machine's process is sent. */
#ifndef TESTS_UNIT_CONTROL_FILES_H
#define TESTS_UNIT_CONTROL_FILES_H

#include "control-peer.h"
#include "elf-head.h"

enum {
	FILES_MAX = 0x20000 /* bytes of one */
};

/* An ELF file with one function, whose name is one letter. */
struct file {
	struct elf_head head;
	Elf64_Sym sym[2];
	char names[4];
};

static inline struct file file_of(char name, uint64_t address, uint64_t offset)
{
	const struct elf_parts at = {
		.code = offset,
		.symbols = offsetof(struct file, sym),
		.n_symbols = 2,
		.names = offsetof(struct file, names),
		.name_bytes = 4,
	};

	return (struct file){
		.head = elf_head_of(address, &at),
		.sym = { { 0 }, elf_function(1, address) },
		.names = { 0, name, 0, 0 },
	};
}

enum {
	DESCRIBED_MAX = 4096 /* addresses of one request, at most */
};

/* Asks what is at @address, @n times in one request. Returns the status. */
static inline unsigned describe_all(uint64_t address, size_t n)
{
	static uint64_t addresses[DESCRIBED_MAX + 1];
	Pmu__V1__DescribeAddressesRequest q =
		PMU__V1__DESCRIBE_ADDRESSES_REQUEST__INIT;

	for (size_t i = 0; i < n; i++)
		addresses[i] = address;
	q.addresses = addresses;
	q.n_addresses = n;
	return peer_call(&p, CALL(DescribeAddresses), &q.base)->code;
}

/* So many bytes, as symbols. */
static inline void send_symbols(const void *image, size_t bytes)
{
	Pmu__V1__LoadImageRequest q = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;

	start.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS;
	start.total_bytes = bytes;
	q.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	q.start = &start;
	ck_assert_uint_eq(peer_call(&p, CALL(LoadImage), &q.base)->code, OK);
	q.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	q.chunk = (ProtobufCBinaryData){ bytes, (uint8_t *)image };
	ck_assert_uint_eq(peer_call(&p, CALL(LoadImage), &q.base)->code, OK);
}

/* Its function is in memory at @address of @offset, and is all zeros. */
static inline uint8_t *file_image(char name, uint64_t address, uint64_t offset)
{
	static uint8_t image[FILES_MAX];
	struct file file = file_of(name, address, offset);

	memset(image, 0, sizeof(image));
	memcpy(image, &file, sizeof(file));
	return image;
}

/* The same; so many bytes in all. */
static inline void send_file(char name, uint64_t address, uint64_t offset,
			     size_t bytes)
{
	send_symbols(file_image(name, address, offset), bytes);
}

#endif
