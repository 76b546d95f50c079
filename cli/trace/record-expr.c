/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Read by descent into an array of nodes, which is bounded, as the depth is:
 * what a user writes is short, and what a program writes for him must not end
 * in the stack.
 */
#include "record-expr.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/args.h"
#include "cmd/command.h"
#include "number.h"
#include "record-field.h"
#include "function-name.h"
#include "text/exit-codes.h"
#include "text/report.h"

enum {
	MAX_NODES = 256,
	MAX_DEPTH = 64,
	MAX_WORD = 256,	 /* bytes of a word, its end included */
	MAX_NAMES = 512, /* of all fields */
	NO_NODE = -1
};

enum node_kind {
	NODE_OR,
	NODE_AND,
	NODE_NOT,
	NODE_COMPARE,
};

enum compare {
	COMPARE_EQ,
	COMPARE_NE,
	COMPARE_LE,
	COMPARE_GE,
	COMPARE_LT,
	COMPARE_GT,
	N_COMPARES
};

/* The longer of two that begin alike first. */
static const char *const compares[N_COMPARES] = { "==", "!=", "<=",
						  ">=", "<",  ">" };

struct node {
	enum node_kind kind;
	int left, right; /* of NOT only left */
	const struct record_field *field;
	enum compare compare;
	uint64_t number;
	char *text;
};

struct record_expr {
	struct node node[MAX_NODES];
	int n, root;
};

/* Reading */

struct expr_reader {
	struct record_expr *e;
	const char *text, *at;
	int depth;
};

static int wrong(const struct expr_reader *r, const char *what)
{
	report_error("--filter: %s at '%s' of '%s'", what,
		     *r->at ? r->at : "the end", r->text);
	return NO_NODE;
}

static void skip_blanks(struct expr_reader *r)
{
	while (isspace((unsigned char)*r->at))
		r->at++;
}

static bool take(struct expr_reader *r, const char *token)
{
	size_t n = strlen(token);

	skip_blanks(r);
	if (strncmp(r->at, token, n) != 0)
		return false;
	r->at += n;
	return true;
}

/* A word or a text in quotes, which may be empty. False: neither is there. */
static bool take_word(struct expr_reader *r, char ret[MAX_WORD])
{
	static const char ends[] = " \t\n()!&|=<>\"";
	bool quoted = take(r, "\"");
	size_t n = strcspn(r->at, quoted ? "\"" : ends);

	if (n >= MAX_WORD || (quoted && r->at[n] != '"') || (!quoted && !n))
		return false;
	memcpy(ret, r->at, n);
	ret[n] = '\0';
	r->at += n + quoted;
	return true;
}

static int add(struct expr_reader *r, struct node node)
{
	if (r->e->n == MAX_NODES) {
		free(node.text);
		return wrong(r, "it is too long");
	}
	r->e->node[r->e->n] = node;
	return r->e->n++;
}

static bool read_compare(struct expr_reader *r, enum compare *ret)
{
	for (int i = 0; i < N_COMPARES; i++) {
		if (take(r, compares[i])) {
			*ret = (enum compare)i;
			return true;
		}
	}
	return false;
}

/* Is it one of those that @name_at has? Privileges in small letters are, too.
 */
static bool is_one_of(const char *(*name_at)(size_t i), char *word)
{
	const char *name;

	for (size_t i = 0; (name = name_at(i)); i++) {
		if (strcasecmp(name, word) != 0)
			continue;
		strcpy(word, name);
		return true;
	}
	return false;
}

static int read_value(struct expr_reader *r, struct node *node)
{
	char word[MAX_WORD];
	const char *before = r->at;

	if (!take_word(r, word))
		return wrong(r, "a value is wanted");
	if (!node->field->is_text) {
		if (number_parse(word, &node->number))
			return add(r, *node);
		r->at = before;
		return wrong(r, "a number is wanted");
	}
	if (node->field->name_at && !is_one_of(node->field->name_at, word)) {
		r->at = before;
		return wrong(r, node->field->wanted);
	}
	node->text = strdup(word);
	return node->text ? add(r, *node) : wrong(r, "out of memory");
}

/* All fields, after an "or" the last. */
static int want_field(const struct expr_reader *r)
{
	char text[MAX_NAMES];
	const char *name;
	size_t len = 0;

	for (size_t i = 0; (name = record_field_at(i)); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
					!i			 ? ""
					: record_field_at(i + 1) ? ", "
								 : " or ",
					name);
	snprintf(text + len, sizeof(text) - len, " is wanted");
	return wrong(r, text);
}

static int read_comparison(struct expr_reader *r)
{
	struct node node = { .kind = NODE_COMPARE };
	const char *before;
	char word[MAX_WORD];

	skip_blanks(r);
	before = r->at;
	node.field = take_word(r, word) ? record_field_find(word) : NULL;
	if (!node.field) {
		r->at = before;
		return want_field(r);
	}
	before = r->at;
	if (!read_compare(r, &node.compare))
		return wrong(r, "==, !=, <, <=, > or >= is wanted");
	if (node.field->is_text && node.compare > COMPARE_NE) {
		r->at = before;
		return wrong(r, "a name has no order: == or != is wanted");
	}
	return read_value(r, &node);
}

static int read_or(struct expr_reader *r);

static int read_not(struct expr_reader *r)
{
	int node;

	if (++r->depth > MAX_DEPTH)
		return wrong(r, "it is too deep");
	if (take(r, "!")) {
		node = read_not(r);
		if (node >= 0)
			node = add(r, (struct node){ NODE_NOT, .left = node });
	} else if (take(r, "(")) {
		node = read_or(r);
		if (node >= 0 && !take(r, ")"))
			node = wrong(r, "')' is wanted");
	} else {
		node = read_comparison(r);
	}
	r->depth--;
	return node;
}

/* Several of @next with @token between them. */
static int read_list(struct expr_reader *r, const char *token,
		     enum node_kind kind, int (*next)(struct expr_reader *r))
{
	int left = next(r);

	while (left >= 0 && take(r, token)) {
		int right = next(r);

		if (right < 0)
			return right;
		left = add(r, (struct node){ kind, left, right });
	}
	return left;
}

static int read_and(struct expr_reader *r)
{
	return read_list(r, "&&", NODE_AND, read_not);
}

static int read_or(struct expr_reader *r)
{
	return read_list(r, "||", NODE_OR, read_and);
}

static bool parse(struct record_expr **ret, const char *text)
{
	struct expr_reader r = { .text = text, .at = text };

	*ret = NULL;
	if (!text)
		return true;
	r.e = calloc(1, sizeof(*r.e));
	if (!r.e) {
		report_no_memory("--filter");
		return false;
	}
	r.e->root = read_or(&r);
	skip_blanks(&r);
	if (r.e->root >= 0 && *r.at)
		r.e->root = wrong(&r, "&& or || is wanted");
	if (r.e->root < 0) {
		record_expr_free(r.e);
		return false;
	}
	*ret = r.e;
	return true;
}

void record_expr_free(struct record_expr *e)
{
	for (int i = 0; e && i < e->n; i++)
		free(e->node[i].text);
	free(e);
}

static bool needs_names(const struct record_expr *e)
{
	for (int i = 0; e && i < e->n; i++)
		if (e->node[i].field && e->node[i].field->needs_names)
			return true;
	return false;
}

int record_expr_open(struct record_expr **ret, const struct args *args)
{
	if (!parse(ret, args->filter))
		return EXIT_USAGE;
	if (!needs_names(*ret) || args->symbols || args->guest_symbols ||
	    args->user_symbols.n || args->sysroot)
		return EXIT_OK;
	report_error("--filter: functions have names only by --symbols, "
		     "--guest-symbols or --user-symbols%s",
		     args->command->options & WITH(SYSROOT) ? ", or --sysroot"
							    : "");
	record_expr_free(*ret);
	*ret = NULL;
	return EXIT_USAGE;
}

/* Matching */

static bool holds(enum compare c, int order)
{
	switch (c) {
	case COMPARE_EQ:
		return order == 0;
	case COMPARE_NE:
		return order != 0;
	case COMPARE_LE:
		return order <= 0;
	case COMPARE_GE:
		return order >= 0;
	case COMPARE_LT:
		return order < 0;
	case COMPARE_GT:
		return order > 0;
	case N_COMPARES:
		break;
	}
	return false;
}

static bool compare_values(const struct node *n,
			   const struct record_style *style,
			   const Pmu__V1__Record *r)
{
	struct field_value v;

	record_field_get(n->field, style, r, &v);
	if (!v.known)
		return n->compare == COMPARE_NE;
	if (n->field->needs_names)
		return holds(n->compare, !function_name_is(v.text, n->text));
	if (n->field->is_text)
		return holds(n->compare, strcmp(v.text, n->text));
	return holds(n->compare,
		     (v.number > n->number) - (v.number < n->number));
}

static bool match(const struct record_expr *e, int node,
		  const struct record_style *style, const Pmu__V1__Record *r)
{
	const struct node *n = &e->node[node];

	switch (n->kind) {
	case NODE_OR:
		return match(e, n->left, style, r) ||
		       match(e, n->right, style, r);
	case NODE_AND:
		return match(e, n->left, style, r) &&
		       match(e, n->right, style, r);
	case NODE_NOT:
		return !match(e, n->left, style, r);
	case NODE_COMPARE:
		return compare_values(n, style, r);
	}
	return false;
}

bool record_expr_match(const struct record_expr *e,
		       const struct record_style *style,
		       const Pmu__V1__Record *r)
{
	return !e || match(e, e->root, style, r);
}

/* What can come of it, for records of which kind and hart are known. */
enum {
	CAN_HOLD = 1,
	CAN_FAIL = 2
};

static unsigned can_compare(const struct node *n, const Pmu__V1__Record *r)
{
	static const struct record_style no_names;

	if (!n->field->by_kind_and_hart &&
	    record_field_is_of(n->field, r->kind_case))
		return CAN_HOLD | CAN_FAIL;
	return compare_values(n, &no_names, r) ? CAN_HOLD : CAN_FAIL;
}

static unsigned can(const struct record_expr *e, int node,
		    const Pmu__V1__Record *r)
{
	const struct node *n = &e->node[node];
	unsigned a, b;

	if (n->kind == NODE_COMPARE)
		return can_compare(n, r);
	a = can(e, n->left, r);
	if (n->kind == NODE_NOT)
		return (a & CAN_HOLD ? CAN_FAIL : 0) |
		       (a & CAN_FAIL ? CAN_HOLD : 0);
	b = can(e, n->right, r);
	if (n->kind == NODE_AND)
		return (a & b & CAN_HOLD) | ((a | b) & CAN_FAIL);
	return ((a | b) & CAN_HOLD) | (a & b & CAN_FAIL);
}

bool record_expr_can_match(const struct record_expr *e, unsigned kind,
			   uint32_t hart)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;

	r.kind_case = (Pmu__V1__Record__KindCase)kind;
	r.hart = hart;
	return !e || can(e, e->root, &r) & CAN_HOLD;
}
