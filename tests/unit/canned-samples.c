/* SPDX-License-Identifier: BSD-2-Clause */
/* Records as JSON, written by the writer that is under test elsewhere. */
#include "canned-samples.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "canned-answers.h"
#include "unit.h"

static char dir[sizeof("/tmp/samples-XXXXXX")];

static const char header[] = "{'version':1,'config':{'harts':2},'clock_hz':"
			     "1000000000,'time_hz':10000000,'xlen':64}";

static const char *const records[] = {
	("{'hart':0,'cycle':1000,'insn':900,'privilege':2,'pc':2149580868,'"
	 "sample':{'event':'cycles','period':100,'periods':1,'time':10,'last_"
	 "pc':2149580864,'callers':[2149580804,2149580812],'chain_end':1}}"),
	("{'hart':1,'cycle':1500,'insn':1200,'privilege':2,'pc':2149580872,'"
	 "sample':{'event':'cycles','period':100,'periods':3,'time':15,'last_"
	 "pc':2149580868,'callers':[2149580804],'chain_end':3}}"),
	("{'hart':0,'cycle':2250,'insn':1901,'privilege':3,'pc':65540,'sample':"
	 "{'event':'loads','period':50,'periods':1,'time':22,'last_pc':65536},'"
	 "satp':-9223372036854775804}"),
	("{'hart':0,'cycle':2500,'insn':2000,'privilege':2,'pc':-2147483640,'"
	 "overflow':{'counter':3,'event':'instructions','raised':true,'last_pc'"
	 ":-2147483644,'value':5}}"),
	("{'hart':0,'cycle':2600,'insn':2001,'privilege':2,'pc':2149580800,'"
	 "trap':{'cause':13,'tval':4096,'target':2,'handler':2149580864}}"),
	("{'hart':0,'cycle':2700,'insn':2002,'privilege':2,'pc':2149580808,'"
	 "sbi_call':{'eid':5259597,'fid':3,'args':[1,2,3,4,5,6],'error':-3,'"
	 "value':9,'returned':true,'reason':'no such counter'}}"),
	("{'hart':1,'cycle':2800,'insn':2003,'privilege':2,'pc':2149580808,'"
	 "console_output':{'data':'x:686920225c0a'}}"),
	("{'hart':1,'cycle':2900,'insn':2004,'privilege':2,'pc':2149580808,'"
	 "hart_change':{'what':3}}"),
	("{'hart':1,'cycle':3000,'insn':2005,'privilege':2,'pc':2149580808,'"
	 "absent':{'address':268435456,'size':256,'node':'uart@10000000'}}"),
	("{'hart':0,'cycle':3100,'insn':2006,'privilege':2,'pc':2149580808,'"
	 "reset':{'kind':2}}"),
	("{'hart':0,'cycle':3200,'insn':2007,'privilege':2,'pc':2149580808,'"
	 "ebb_delivery':{'session':2,'counters':8,'cycle':3150}}"),
	("{'hart':0,'cycle':4000,'insn':3000,'privilege':2,'pc':2149580868,'"
	 "sample':{'event':'cycles','period':100,'periods':2,'time':40,'last_"
	 "pc':2149580864,'callers':[2149580804,2149580812],'chain_end':1}}"),
	("{'hart':0,'cycle':4100,'insn':3001,'privilege':2,'pc':2149580868,'"
	 "stop':{'cause':3,'exit_code':7}}"),
	NULL,
};

static const char *const processes[] = {
	("{'cycle':1000,'privilege':2,'pc':2149580868,'process':{'comm':'swap'"
	 "},'sample':{'event':'cycles','periods':1,'last_pc':2149580864}}"),
	("{'cycle':1500,'privilege':3,'pc':65540,'satp':-9223372036854775804,'"
	 "process':{'pid':7,'tid':7,'comm':'sh'},'sample':{'event':'cycles','"
	 "periods':1,'last_pc':65536}}"),
	("{'cycle':1600,'privilege':2,'pc':2149580868,'process':{'pid':7,'tid'"
	 ":7,'comm':'sh'},'sample':{'event':'cycles','periods':1,'last_pc':"
	 "2149580864}}"),
	/* another program from here on, in whose name is what breaks lines */
	("{'cycle':2000,'privilege':3,'pc':65540,'satp':-9223372036854775804,'"
	 "process':{'pid':7,'tid':7,'comm':'a;\x7f b'},'sample':{'event':'"
	 "cycles','periods':1,'last_pc':65536}}"),
	/* a thread of it, and nobody */
	("{'cycle':2500,'privilege':3,'pc':65540,'satp':-9223372036854775804,'"
	 "process':{'pid':7,'tid':8,'comm':'a;\x7f b'},'overflow':{'counter':3"
	 ",'event':'cycles','last_pc':65536}}"),
	("{'cycle':3000,'privilege':2,'pc':2149580868,'sample':{'event':'"
	 "cycles','periods':1,'last_pc':2149580864}}"),
	/* a command as long as can be told, and as no kernel has one */
	("{'cycle':3500,'privilege':2,'pc':2149580868,'process':{'pid':9,'tid'"
	 ":9,'comm':'0123456789abcdef0123456789abcde'},'sample':{'event':'"
	 "cycles','periods':1,'last_pc':2149580864}}"),
	("{'cycle':3600,'privilege':2,'pc':2149580868,'process':{'pid':9,'tid'"
	 ":9,'comm':'0123456789abcdef0123456789abcdef'},'sample':{'event':'"
	 "cycles','periods':1,'last_pc':2149580864}}"),
	"{'cycle':4100,'stop':{'cause':1}}",
	NULL,
};

#define USER(cycle, pid, pc, mappings)                                         \
	("{'cycle':" cycle ",'privilege':3,'pc':" pc ",'process':{'pid':" pid  \
	 ",'tid':" pid ",'comm':'sh','mappings':[" mappings "]},'sample':{"    \
	 "'event':'cycles','periods':1,'last_pc':" pc "}}")
#define MAPPED(start, end, more) "{'start':" start ",'end':" end more "}"
#define PROG                                                                   \
	MAPPED("196608", "200704",                                             \
	       ",'offset':4096,'file':'/bin/prog','file_bytes':65536")

/* At 0x30018, where there are one file, nothing and another, and beside it. */
static const char *const mapped[] = {
	USER("1000", "7", "196632", PROG),
	USER("1500", "7", "196612", ""),
	USER("2000", "7", "327680", MAPPED("327680", "331776", "")),
	USER("2500", "9", "196632", ""),
	USER("3000", "7", "196632",
	     MAPPED("196608", "204800", ",'offset':8192,'file':'/bin/other'")),
	USER("3500", "7", "196632", PROG),
	USER("4000", "7", "200704", PROG), /* told again, and behind it */
	("{'cycle':4100,'privilege':2,'pc':196632,'process':{'pid':7,'comm':"
	 "'sh'},'sample':{'event':'cycles','periods':1,'last_pc':196632}}"),
	"{'cycle':4200,'stop':{'cause':1}}",
	NULL,
};

/* Two files one after the other at one address, and the first again. */
#define TURN(file)                                                             \
	MAPPED("196608", "200704",                                             \
	       ",'offset':4096,'file':'" file "','file_bytes':65536")

static const char *const turns[] = {
	USER("1000", "7", "196632", TURN("/bin/prog")),
	USER("1100", "7", "196632", TURN("/bin/other")),
	USER("1200", "7", "196632", TURN("/bin/prog")),
	"{'cycle':4200,'stop':{'cause':1}}",
	NULL,
};

/* The same until the first does not come again. */
static const char *const stays[] = {
	USER("1000", "7", "196632", TURN("/bin/prog")),
	USER("1100", "7", "196632", TURN("/bin/other")),
	USER("1200", "7", "196632", ""),
	"{'cycle':4200,'stop':{'cause':1}}",
	NULL,
};

static const char *const flows[] = {
	("{'cycle':1000,'privilege':3,'pc':196636,'process':{'pid':7,'tid':7,"
	 "'comm':'sh','mappings':[" TURN("/bin/prog") "]},'overflow':{'counter'"
						      ":3,'event':'cycles','"
						      "last_pc':196632}}"),
	"{'cycle':4200,'stop':{'cause':1}}",
	NULL,
};

static const char *const control[] = {
	USER("1000", "7", "196632",
	     MAPPED("196608", "200704",
		    ",'file':'/bin/\\u001b[31mred\\u007f'")),
	"{'cycle':4200,'stop':{'cause':1}}",
	NULL,
};

static const char *const stop[] = {
	"{'hart':0,'cycle':4100,'insn':3001,'privilege':2,'stop':{'cause':1}}",
	NULL,
};

static const char *const typed[] = {
	"{'cycle':10,'privilege':2,'input':{'cycle':10,'console':'ls'}"
	"}",
	"{'cycle':15,'privilege':2,'trap':{'cause':8}}",
	"{'cycle':20,'privilege':2,'input':{'cycle':20,'console':'-l'}"
	"}",
	NULL,
};

static const char map[] = "0000000080200000 T main\n"
			  "0000000080200040 T work\n"
			  "0000000080200080 t leaf\n"
			  "ffffffff80000000 T kernel\n"
			  "ffffffff80000100 A none\n";

static void put_file(const char *name, const char *bytes)
{
	FILE *out = fopen(name, "w");

	PREPARING(ck_assert_ptr_nonnull(out));
	fputs(bytes, out);
	fclose(out);
}

void canned_samples_begin(void)
{
	strcpy(dir, "/tmp/samples-XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(dir)));
	PREPARING(ck_assert(!chdir(dir)));
	canned_trace("samples", header, records);
	canned_trace("processes", header, processes);
	canned_trace("mapped", header, mapped);
	canned_trace("turns", header, turns);
	canned_trace("stays", header, stays);
	canned_trace("flows", header, flows);
	canned_trace("control", header, control);
	canned_trace("empty", "{'version':1,'xlen':32}", stop);
	canned_trace("inputs",
		     "{'version':1,'config':{'harts':2,'settings':[{'key':"
		     "'seed','value':'5'}]},'xlen':64}",
		     typed);
	canned_trace("sampled", "{'version':1,'samples_only':true}", stop);
	put_file("map", map);
	put_file("image", "\177ELF\002");
	put_file("image32", "\177ELF\001");
	put_file("typed", "some input\n");
	PREPARING(ck_assert_ptr_nonnull(freopen("typed", "r", stdin)));
}

static int take_away(const char *path, const struct stat *st, int type,
		     struct FTW *at)
{
	return remove(path);
}

void canned_samples_end(void)
{
	PREPARING(ck_assert(!chdir("/")));
	nftw(dir, take_away, 4, FTW_DEPTH | FTW_PHYS);
}
