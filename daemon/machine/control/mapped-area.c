/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From Linux 6.1 on a process's mappings are in a maple tree: nodes of 256
 * bytes, whose address has its type in its low bits. Slot i of a node has what
 * is above pivot i - 1, up to pivot i; pivots that are not used are 0. In
 * leaves that is a vm_area_struct, which must itself say that it is of this
 * memory and has the address: so a tree that just changes, or is none, tells
 * nothing wrong. The name of a file goes from its dentry up to the root of its
 * file system, and from there on where that is mounted. Where a structure has
 * what, the kernel's BTF says. Nothing is guessed: a kernel that keeps them
 * otherwise is not understood, and all loops have a bound.
 */
#include "mapped-area.h"

#include <string.h>

#include <pmu/page.h>

#include "core/machine-read.h"

enum {
	NODE_BYTES = 256,
	DEPTH_MAX = 16, /* of a tree */
	PARTS_MAX = 64, /* of a path, the mounts included */
	NAME_MAX_BYTES = 255,
};

/* A node's address: its type, and what the root's has beside it. */
enum {
	ROOT_MASK = 3,
	ROOT_NODE = 2,
	TYPE_SHIFT = 3,
	TYPE_MASK = 15,
};

enum {
	VM_EXEC = 4, /* of an area's flags */
};

enum node_type {
	NODE_LEAF = 1,
	NODE_RANGE = 2,
	NODE_ALLOCATION = 3
};

enum mapped_field {
	TASK_MM,
	MM_ROOT,
	RANGE_PIVOT,
	RANGE_SLOT,
	ALLOCATION_PIVOT,
	ALLOCATION_SLOT,
	VMA_START,
	VMA_END,
	VMA_MM,
	VMA_FLAGS,
	VMA_OFFSET,
	VMA_FILE,
	FILE_DENTRY,
	FILE_MOUNT,
	FILE_INODE,
	INODE_SIZE,
	DENTRY_PARENT,
	DENTRY_NAME,
	DENTRY_LEN,
	DENTRY_HASH,
	POINT_ROOT, /* of the part of a mount that files know */
	MOUNT_ROOT, /* the same, from the mount's beginning on */
	MOUNT_PARENT,
	MOUNT_DENTRY,
	N_FIELDS
};

_Static_assert((int)N_FIELDS == (int)MAPPED_FIELDS, "one for each");

/* How large it must be. */
enum measure {
	POINTER,
	WORD,
	WORDS,
	FOUR,
	EIGHT
};

/* In groups of one structure. */
static const struct {
	const char *structure, *name;
	enum measure measure;
} rows[N_FIELDS] = {
	[TASK_MM] = { "task_struct", "mm", POINTER },
	[MM_ROOT] = { "mm_struct", "mm_mt.ma_root", POINTER },
	[RANGE_PIVOT] = { "maple_range_64", "pivot", WORDS },
	[RANGE_SLOT] = { "maple_range_64", "slot", POINTER },
	[ALLOCATION_PIVOT] = { "maple_arange_64", "pivot", WORDS },
	[ALLOCATION_SLOT] = { "maple_arange_64", "slot", POINTER },
	[VMA_START] = { "vm_area_struct", "vm_start", WORD },
	[VMA_END] = { "vm_area_struct", "vm_end", WORD },
	[VMA_MM] = { "vm_area_struct", "vm_mm", POINTER },
	[VMA_FLAGS] = { "vm_area_struct", "vm_flags", WORD },
	[VMA_OFFSET] = { "vm_area_struct", "vm_pgoff", WORD },
	[VMA_FILE] = { "vm_area_struct", "vm_file", POINTER },
	[FILE_DENTRY] = { "file", "f_path.dentry", POINTER },
	[FILE_MOUNT] = { "file", "f_path.mnt", POINTER },
	[FILE_INODE] = { "file", "f_inode", POINTER },
	[INODE_SIZE] = { "inode", "i_size", EIGHT },
	[DENTRY_PARENT] = { "dentry", "d_parent", POINTER },
	[DENTRY_NAME] = { "dentry", "d_name.name", POINTER },
	[DENTRY_LEN] = { "dentry", "d_name.len", FOUR },
	[DENTRY_HASH] = { "dentry", "d_name.hash", FOUR },
	[POINT_ROOT] = { "vfsmount", "mnt_root", POINTER },
	[MOUNT_ROOT] = { "mount", "mnt.mnt_root", POINTER },
	[MOUNT_PARENT] = { "mount", "mnt_parent", POINTER },
	[MOUNT_DENTRY] = { "mount", "mnt_mountpoint", POINTER },
};

/* How the kernel keeps them */

static bool fits(const struct mapped_kernel *k, enum mapped_field i)
{
	const struct btf_field *f = &k->field[i];

	switch (rows[i].measure) {
	case POINTER:
		return !f->size;
	case WORD:
		return f->size == k->word;
	case WORDS:
		return f->size && f->size % k->word == 0;
	case FOUR:
		return f->size == 4;
	case EIGHT:
		return f->size == 8;
	}
	return false;
}

/* Pivots are one fewer than slots, and all are in a node. */
static bool is_node(const struct mapped_kernel *k, enum mapped_field pivot,
		    enum mapped_field slot)
{
	const struct btf_field *p = &k->field[pivot], *s = &k->field[slot];

	return p->size <= NODE_BYTES && p->offset <= NODE_BYTES - p->size &&
	       s->offset <= NODE_BYTES &&
	       p->size + k->word <= NODE_BYTES - s->offset;
}

bool mapped_kernel_find(struct mapped_kernel *k, const struct machine *m)
{
	size_t size;
	const uint8_t *ram = machine_ram(m, &size);

	k->machine = m;
	k->word = machine_config(m)->settings.xlen / 8;
	for (unsigned i = 0; i < N_FIELDS; i++)
		k->field[i] = (struct btf_field){ rows[i].structure,
						  rows[i].name, 0, 0 };
	if (!btf_find(ram, size, k->field, N_FIELDS))
		return false;
	for (unsigned i = 0; i < N_FIELDS; i++)
		if (!fits(k, i))
			return false;
	return is_node(k, RANGE_PIVOT, RANGE_SLOT) &&
	       is_node(k, ALLOCATION_PIVOT, ALLOCATION_SLOT) &&
	       k->field[MOUNT_ROOT].offset >= k->field[POINT_ROOT].offset;
}

/* Reading */

static bool read(const struct mapped_view *v, uint64_t at, void *ret, size_t n)
{
	return machine_read_supervisor(v->kernel->machine, v->hart, at, ret, n);
}

/* A number or a pointer of the structure at @at. */
static bool get(const struct mapped_view *v, uint64_t at, enum mapped_field i,
		uint64_t *ret)
{
	size_t size = v->kernel->field[i].size;

	*ret = 0;
	return read(v, at + v->kernel->field[i].offset, ret,
		    size ? size : v->kernel->word);
}

static uint64_t word_of(const struct mapped_view *v, const uint8_t *node,
			size_t offset)
{
	uint64_t ret = 0;

	memcpy(&ret, node + offset, v->kernel->word);
	return ret;
}

/* Addresses that one slot is for. */
struct span {
	uint64_t first, last;
};

/* What the node has for @pc; *@of has it, too, and is made as small as that. */
static uint64_t slot_of(const struct mapped_view *v, const uint8_t *node,
			bool leaf, uint64_t pc, struct span *of)
{
	const struct btf_field *f =
		&v->kernel->field[leaf ? RANGE_PIVOT : ALLOCATION_PIVOT];
	size_t n = f->size / v->kernel->word, i;

	for (i = 0; i < n; i++) {
		uint64_t pivot =
			word_of(v, node, f->offset + i * v->kernel->word);

		if (i && !pivot)
			break;
		if (pivot >= pc) {
			of->last = pivot;
			break;
		}
		of->first = pivot + 1;
	}
	return word_of(v, node, f[1].offset + i * v->kernel->word);
}

/* The vm_area_struct that a tree has for @pc, 0 where it is free. */
static bool find_leaf(const struct mapped_view *v, uint64_t pc, uint64_t *ret,
		      struct span *ret_span)
{
	uint8_t node[NODE_BYTES];
	uint64_t at;

	*ret_span = (struct span){ 0, UINT64_MAX };
	if (!get(v, v->mm, MM_ROOT, &at) || (at & ROOT_MASK) != ROOT_NODE)
		return false;
	for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
		unsigned type = at >> TYPE_SHIFT & TYPE_MASK;

		if (type < NODE_LEAF || type > NODE_ALLOCATION ||
		    !read(v, at & ~(uint64_t)(NODE_BYTES - 1), node,
			  sizeof(node)))
			return false;
		at = slot_of(v, node, type != NODE_ALLOCATION, pc, ret_span);
		if (!at || type == NODE_LEAF) {
			*ret = at;
			return true;
		}
	}
	return false;
}

bool mapped_view_open(struct mapped_view *v, uint64_t task)
{
	return get(v, task, TASK_MM, &v->mm);
}

/* Of the vm_area_struct at @vma. */
static bool read_area(const struct mapped_view *v, uint64_t vma, uint64_t pc,
		      struct mapped_area *ret)
{
	struct mapping_key *key = &ret->key;
	uint64_t of, flags;

	if (!get(v, vma, VMA_MM, &of) || !get(v, vma, VMA_FLAGS, &flags) ||
	    !get(v, vma, VMA_START, &key->start) ||
	    !get(v, vma, VMA_END, &key->end) ||
	    !get(v, vma, VMA_OFFSET, &key->offset) ||
	    !get(v, vma, VMA_FILE, &key->file))
		return false;
	key->offset = key->file ? key->offset << PMU_PAGE_BITS : 0;
	ret->executable = flags & VM_EXEC;
	return of == v->mm && pc >= key->start && pc < key->end;
}

bool mapped_area_find(const struct mapped_view *v, uint64_t pc,
		      struct mapped_area *ret)
{
	struct span span;
	uint64_t vma;
	bool found = find_leaf(v, pc, &vma, &span);

	if (found && vma && read_area(v, vma, pc, ret))
		return true;
	ret->key.start = ret->key.end = 0;
	if (found && !vma) {
		ret->key.start = span.first;
		ret->key.end = span.last + (span.last < UINT64_MAX);
	}
	return false;
}

bool mapped_area_open(const struct mapped_view *v, struct mapped_area *a)
{
	uint64_t hash, len;

	if (!a->key.file)
		return true;
	if (!get(v, a->key.file, FILE_DENTRY, &a->key.dentry) ||
	    !get(v, a->key.file, FILE_MOUNT, &a->mount) ||
	    !get(v, a->key.file, FILE_INODE, &a->inode) ||
	    !get(v, a->key.dentry, DENTRY_HASH, &hash) ||
	    !get(v, a->key.dentry, DENTRY_LEN, &len))
		return false;
	a->key.name = len << 32 | hash;
	return true;
}

/* Names */

/* Written from its end on. */
struct path_text {
	char text[MAPPING_FILE_MAX];
	size_t at; /* where it begins */
};

static bool put(struct path_text *p, const char *text, size_t n)
{
	if (n > p->at)
		return false;
	p->at -= n;
	memcpy(p->text + p->at, text, n);
	return true;
}

static bool put_name(const struct mapped_view *v, struct path_text *p,
		     uint64_t dentry)
{
	char name[NAME_MAX_BYTES];
	uint64_t at, len;

	if (!get(v, dentry, DENTRY_NAME, &at) ||
	    !get(v, dentry, DENTRY_LEN, &len) || len > sizeof(name) ||
	    !read(v, at, name, len))
		return false;
	for (size_t i = 0; i < len; i++)
		if (name[i] < ' ' || name[i] > '~')
			name[i] = '?';
	return put(p, name, len);
}

/* One up: a folder, or from a root to where it is mounted. */
static bool go_up(const struct mapped_view *v, uint64_t *dentry,
		  uint64_t *point, struct path_text *p, bool *ret_done)
{
	uint64_t inside = v->kernel->field[MOUNT_ROOT].offset -
			  v->kernel->field[POINT_ROOT].offset;
	uint64_t mount = *point - inside, root, up;

	if (!get(v, *point, POINT_ROOT, &root))
		return false;
	if (*dentry == root) {
		if (!get(v, mount, MOUNT_PARENT, &up) ||
		    !get(v, mount, MOUNT_DENTRY, dentry))
			return false;
		*ret_done = up == mount;
		*point = up + inside;
		return true;
	}
	if (!get(v, *dentry, DENTRY_PARENT, &up) || !put_name(v, p, *dentry))
		return false;
	/* what lies in no folder has its own name alone */
	*ret_done = up == *dentry;
	*dentry = up;
	return *ret_done || put(p, "/", 1);
}

static bool find_path(const struct mapped_view *v, const struct mapped_area *a,
		      char ret[MAPPING_FILE_MAX])
{
	struct path_text p = { .at = MAPPING_FILE_MAX };
	uint64_t dentry = a->key.dentry, point = a->mount;
	bool done = false, good = put(&p, "", 1);

	for (unsigned i = 0; i < PARTS_MAX && good && !done; i++)
		good = go_up(v, &dentry, &point, &p, &done);
	if (!good || !done)
		return false;
	memcpy(ret, p.text + p.at, sizeof(p.text) - p.at);
	return true;
}

void mapped_area_describe(const struct mapped_view *v,
			  const struct mapped_area *a, struct mapping *ret)
{
	ret->start = a->key.start;
	ret->end = a->key.end;
	ret->offset = a->key.offset;
	ret->bytes = 0;
	ret->file[0] = '\0';
	if (a->key.file && find_path(v, a, ret->file) &&
	    !get(v, a->inode, INODE_SIZE, &ret->bytes))
		ret->bytes = 0;
}
