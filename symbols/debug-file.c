/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The search is that of dwfl_standard_find_debuginfo(), as is what makes a file
 * the right one: its build ID, or the checksum where there is no ID.
 */
#include "debug-file.h"

#include <stdlib.h>
#include <string.h>

#include <elfutils/libdwelf.h>
#include <zlib.h>

#include "symbols-inside.h"

#define ROOT_DEBUG "/usr/lib/debug"

enum {
	ID_LEAST = 3, /* bytes that make a name of a file */
	ID_MOST = 64,
	PARTS = 7 /* of a path, at most */
};

struct wanted_file {
	const unsigned char *id;
	size_t id_len;	 /* 0: it has none */
	GElf_Word crc;	 /* that is asked about then; 0: nothing is */
	Elf *alternate;	 /* the file that was found, if it is kept */
	bool keeps_file; /* instead of its descriptor */
};

static char *join(const char *const parts[PARTS])
{
	size_t len = 1;
	char *ret, *to;

	for (size_t i = 0; i < PARTS && parts[i]; i++)
		len += strlen(parts[i]);
	ret = to = malloc(len);
	if (!ret)
		return NULL;
	*to = '\0';
	for (size_t i = 0; i < PARTS && parts[i]; i++)
		to = stpcpy(to, parts[i]);
	return ret;
}

static bool has_id(const struct wanted_file *w, Elf *elf)
{
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &id);

	return len > 0 && (size_t)len == w->id_len && !memcmp(id, w->id, len);
}

static bool has_crc(const struct wanted_file *w, Elf *elf)
{
	size_t n = 0;
	const char *bytes = elf_rawfile(elf, &n);

	return bytes && crc32_z(0, (const Bytef *)bytes, n) == w->crc;
}

static bool is_wanted(void *arg, int fd)
{
	struct wanted_file *w = arg;
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool good = elf && elf_kind(elf) == ELF_K_ELF;

	if (good && w->id_len)
		good = has_id(w, elf);
	else if (good && w->crc)
		good = has_crc(w, elf);
	/* then the descriptor is not wanted any more */
	if (good && w->keeps_file && !elf_cntl(elf, ELF_C_FDREAD))
		w->alternate = elf;
	else
		elf_end(elf);
	return good && !w->keeps_file;
}

/* Is it the file of that path? Its descriptor, or -1. */
static int try(const struct symbols *s, struct wanted_file *w,
	       const char *const parts[PARTS], char **ret_name)
{
	char *path = join(parts);
	int fd = path ? s->open(path, is_wanted, w) : -1;

	if (fd < 0)
		free(path);
	else
		*ret_name = path;
	return fd;
}

static const char *root_of(const struct symbols *s)
{
	return s->root ? s->root : "";
}

/* /usr/lib/debug/.build-id/ab/cdef.debug */
static int try_id(const struct symbols *s, struct wanted_file *w,
		  char **ret_name)
{
	static const char digits[] = "0123456789abcdef";
	char first[3] = "", others[2 * ID_MOST + 1] = "";

	if (w->id_len < ID_LEAST || w->id_len > ID_MOST)
		return -1;
	for (size_t i = 0; i < w->id_len; i++) {
		char *to = i ? others + 2 * (i - 1) : first;

		to[0] = digits[w->id[i] >> 4];
		to[1] = digits[w->id[i] & 15];
	}
	return try(s, w,
		   (const char *[PARTS]){ root_of(s), ROOT_DEBUG, "/.build-id/",
					  first, "/", others, ".debug" },
		   ret_name);
}

/* Its folder with the last slash; "" without one. To be freed. */
static char *folder_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return strndup(file, slash ? (size_t)(slash + 1 - file) : 0);
}

/* Beside the file, in .debug there, and in its folder's place in the root. */
static int try_beside(const struct symbols *s, struct wanted_file *w,
		      const char *file, const char *link, char **ret_name)
{
	const char *root = root_of(s);
	size_t len = strlen(root);
	char *folder = folder_of(file);
	int fd = -1;

	if (folder)
		fd = try(s, w, (const char *[PARTS]){ folder, link }, ret_name);
	if (folder && fd < 0)
		fd = try(s, w, (const char *[PARTS]){ folder, ".debug/", link },
			 ret_name);
	if (folder && fd < 0 && *folder == '/' && !strncmp(folder, root, len) &&
	    folder[len] == '/')
		fd = try(s, w,
			 (const char *[PARTS]){ root, ROOT_DEBUG, folder + len,
						link },
			 ret_name);
	free(folder);
	return fd;
}

/* By the name; where the file is a link, also from where that leads. */
static int try_link(const struct symbols *s, struct wanted_file *w,
		    const char *file, const char *link, char **ret_name)
{
	int fd = try_beside(s, w, file, link, ret_name);
	char *real = fd < 0 ? realpath(file, NULL) : NULL;

	if (real && strcmp(real, file))
		fd = try_beside(s, w, real, link, ret_name);
	free(real);
	return fd;
}

/* NAME.debug, which nobody vouches for but a build ID. */
static int try_own_name(const struct symbols *s, struct wanted_file *w,
			const char *file, char **ret_name)
{
	const char *slash = strrchr(file, '/');
	char *link = join(
		(const char *[PARTS]){ slash ? slash + 1 : file, ".debug" });
	int fd = link ? try_link(s, w, file, link, ret_name) : -1;

	free(link);
	return fd;
}

int debug_file_find(Dwfl_Module *module, void **data, const char *name,
		    Dwarf_Addr base, const char *file, const char *link,
		    GElf_Word crc, char **ret_name)
{
	const struct symbols *s = *data;
	struct wanted_file w = { .crc = link ? crc : 0 };
	GElf_Addr where;
	int id_len, fd;

	/* the alternate file, without @file, is not for dwfl to have */
	if (!s->open || !file)
		return -1;
	id_len = dwfl_module_build_id(module, &w.id, &where);
	w.id_len = id_len > 0 ? (size_t)id_len : 0;
	fd = try_id(s, &w, ret_name);
	if (fd < 0)
		fd = link ? try_link(s, &w, file, link, ret_name)
			  : try_own_name(s, &w, file, ret_name);
	if (fd >= 0 || !getenv("DEBUGINFOD_URLS"))
		return fd;
	/* its path is where nothing is: only the servers are left */
	return dwfl_standard_find_debuginfo(module, data, name, base, file,
					    link, crc, ret_name);
}

/* The name is a path, or one from the folder of the file that has it. */
static void find_alternate(const struct symbols *s, struct wanted_file *w,
			   const char *link)
{
	const char *file = NULL, *debug = NULL;
	char *folder, *unused;

	dwfl_module_info(s->module, NULL, NULL, NULL, NULL, NULL, &file,
			 &debug);
	folder = *link == '/' ? strdup(root_of(s))
			      : folder_of(debug	 ? debug
					  : file ? file
						 : "");
	(void)try_id(s, w, &unused);
	if (folder && !w->alternate)
		(void)try(s, w, (const char *[PARTS]){ folder, link }, &unused);
	free(folder);
}

/* An ELF file with debug information in which nothing is. */
static const struct empty {
	Elf64_Ehdr head;
	Elf64_Shdr section[3];
	char names[24];
	unsigned char line[8];
} empty = {
	.head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			       __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
				       ? ELFDATA2LSB
				       : ELFDATA2MSB,
			       EV_CURRENT },
		  .e_type = ET_EXEC,
		  .e_machine = EM_RISCV,
		  .e_version = EV_CURRENT,
		  .e_shoff = offsetof(struct empty, section),
		  .e_ehsize = sizeof(Elf64_Ehdr),
		  .e_shentsize = sizeof(Elf64_Shdr),
		  .e_shnum = 3,
		  .e_shstrndx = 1 },
	.section = { { 0 },
		     { .sh_name = 1,
		       .sh_type = SHT_STRTAB,
		       .sh_offset = offsetof(struct empty, names),
		       .sh_size = sizeof(((struct empty *)0)->names),
		       .sh_addralign = 1 },
		     { .sh_name = 11,
		       .sh_type = SHT_PROGBITS,
		       .sh_offset = offsetof(struct empty, line),
		       .sh_size = sizeof(((struct empty *)0)->line),
		       .sh_addralign = 1 } },
	.names = "\0.shstrtab\0.debug_line",
};

void debug_file_set_alternate(struct symbols *s, Dwarf *dwarf)
{
	struct wanted_file w = { .keeps_file = true };
	const void *id;
	const char *link;
	ssize_t len = dwelf_dwarf_gnu_debugaltlink(dwarf, &link, &id);

	if (len <= 0)
		return;
	w.id = id;
	w.id_len = (size_t)len;
	if (s->open)
		find_alternate(s, &w, link);
	s->alternate_file = w.alternate;
	s->alternate = dwarf_begin_elf(w.alternate, DWARF_C_READ, NULL);
	if (!s->alternate) {
		elf_end(s->alternate_file);
		s->alternate_file = elf_memory((char *)&empty, sizeof(empty));
		s->alternate =
			dwarf_begin_elf(s->alternate_file, DWARF_C_READ, NULL);
	}
	dwarf_setalt(dwarf, s->alternate);
}

void debug_file_end(struct symbols *s)
{
	dwarf_end(s->alternate);
	elf_end(s->alternate_file);
}
