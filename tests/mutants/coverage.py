# SPDX-License-Identifier: BSD-2-Clause
"""Which test executes which lines: one run of every test in a gcov build.

What was found is kept in the build directory for as long as no source and no
test changes.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import queue
import subprocess

from builds import Build
from running import Runner, listed

# pmud-machine may not open files once it is locked in, and is often killed:
# in this build it is not locked in, and writes now and then, but not while it
# ends, which writes, too (libgcov guards its file against no other thread
# there). Counts are not written by _exit() either, nor by a signal that ends
# its own process: a handler's last act.
STUB = """
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

void __gcov_dump(void) __attribute__((weak));
void __gcov_reset(void) __attribute__((weak));
int __wrap_seccomp_load(void *filter);
int __wrap_setrlimit64(__rlimit_resource_t what, const struct rlimit64 *limit);
int __real_setrlimit64(__rlimit_resource_t what, const struct rlimit64 *limit);
int __wrap_raise(int number);
int __real_raise(int number);
void __wrap__exit(int status) __attribute__((noreturn));
void __real__exit(int status) __attribute__((noreturn));

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static int ends;

/* Before libgcov's own destructor, whose priority is 100. */
__attribute__((destructor)) static void end(void)
{
	pthread_mutex_lock(&writing);
	ends = 1;
	pthread_mutex_unlock(&writing);
}

void __wrap__exit(int status)
{
	end();
	if (__gcov_dump)
		__gcov_dump();
	__real__exit(status);
}

int __wrap_raise(int number)
{
	if (__gcov_dump) {
		__gcov_dump();
		__gcov_reset();
	}
	return __real_raise(number);
}

/* A limit that is lowered for good. */
int __wrap_setrlimit64(__rlimit_resource_t what, const struct rlimit64 *limit)
{
	struct rlimit64 now;

	if ((what == RLIMIT_FSIZE || what == RLIMIT_NOFILE) &&
	    getrlimit64(what, &now) == 0 && limit->rlim_max < now.rlim_max)
		return 0;
	return __real_setrlimit64(what, limit);
}

static void *now_and_then(void *arg)
{
	while (__gcov_dump) {
		usleep(50000);
		pthread_mutex_lock(&writing);
		if (!ends) {
			__gcov_dump();
			__gcov_reset();
		}
		pthread_mutex_unlock(&writing);
	}
	return arg;
}

int __wrap_seccomp_load(void *filter)
{
	pthread_t thread;

	(void)filter;
	return pthread_create(&thread, 0, now_and_then, 0);
}
"""


SHARED = ("tests/asserted.py", "tests/e2e/bench.py", "tests/daemon/harness.py")


def _key(build, test, command, folders):
    """Return what one test's coverage depends on: its programs, its script
    and its files, and the folders whose lines are kept."""
    state = hashlib.sha256(" ".join([test.name, *folders]).encode())
    names = set(command) | build.programs(test.program)
    names |= set() if test.check else {str(build.top / n) for n in SHARED}
    for name in sorted(names):
        path = build.path / name
        if path.is_file() and not name.startswith("/usr/"):
            state.update(os.path.basename(name).encode() + path.read_bytes())
    return state.hexdigest()


def _stub(folder):
    folder.mkdir(parents=True, exist_ok=True)
    source, obj = folder / "stub.c", folder / "stub.o"
    if not obj.exists() or source.read_text() != STUB:
        source.write_text(STUB)
        subprocess.run(["cc", "-c", "-o", obj, source], check=True)
    return obj


def _inside(source, folders):
    """Is it in one of them, or in a folder of theirs?"""
    return any(source.startswith(folder + "/") for folder in folders)


def _notes(build, folders, suffix):
    """Return the files beside the folders' objects that are there."""
    names = [output[:-2] + suffix
             for source, made in build.compiles.items()
             if _inside(source, folders) for output, _ in made]
    return [n for n in names if (build.path / n).exists()]


def _lines(build, folders):
    """Return {source: [executed lines]} of the counts that lie there."""
    found = {}
    data = _notes(build, folders, ".gcda")
    if not data:
        return found
    out = subprocess.run(["gcov", "--json-format", "--stdout", *data],
                         cwd=build.path, check=False,
                         capture_output=True, text=True).stdout
    for line in out.splitlines():
        if not line.startswith("{"):
            continue
        for file in json.loads(line)["files"]:
            source = os.path.relpath(build.path / file["file"], build.top)
            hit = {n["line_number"] for n in file["lines"] if n["count"]}
            if hit and _inside(source, folders):
                found.setdefault(source, set()).update(hit)
    return {s: sorted(n) for s, n in found.items()}


def _clear(build):
    for path in build.path.rglob("*.gcda"):
        path.unlink(missing_ok=True)


def _measure(build, plain, test, folders):
    """Return what one test executes, how long it takes unmutated, and how it
    must be run; None if it fails. Its result in the gcov build, @build, does
    not matter: that is not locked in."""
    for fork in (False, True):
        result = plain.run(test, fork)
        if result.good:
            break
        if fork or not test.check:
            return None
    _clear(build.build)
    build.run(test, fork)
    return {"fork": fork, "seconds": result.seconds,
            "lines": _lines(build.build, folders)}


def _executable(build, folders):
    """Return {source: [lines that have code]}."""
    data = _notes(build, folders, ".gcno")
    out = subprocess.run(["gcov", "--json-format", "--stdout", *data],
                         cwd=build.path, check=False, capture_output=True,
                         text=True).stdout
    found = {}
    for line in out.splitlines():
        if line.startswith("{"):
            for file in json.loads(line)["files"]:
                source = os.path.relpath(build.path / file["file"], build.top)
                found.setdefault(source, set()).update(
                    n["line_number"] for n in file["lines"])
    return {s: sorted(n) for s, n in found.items() if _inside(s, folders)}


class _Places:
    """Builds with gcov and without, in pairs: counts of two tests at once
    would be one sum."""

    def __init__(self, top, path, plain, jobs):
        stub = _stub(path.parent / "stub")
        options = ["-Db_coverage=true",
                   f"-Dc_link_args=['{stub}', "
                   "'-Wl,--wrap=seccomp_load,--wrap=_exit,--wrap=raise',"
                   "'-Wl,--wrap=setrlimit64',"
                   # the stub asks for them weakly, which brings none
                   "'--coverage','-Wl,-u,__gcov_dump,-u,__gcov_reset']"]
        self.first = Build(top, path, options)
        self.all, self.free = [], queue.SimpleQueue()
        for n in range(1, jobs + 1):
            build = self.first if n == 1 else \
                Build(top, path.with_name(f"{path.name}-{n}"), options)
            self.all.append((Runner(build), Runner(plain(n))))
            self.free.put(self.all[-1])

    def measure(self, test, folders):
        place = self.free.get()
        try:
            return _measure(*place, test, folders)
        finally:
            self.free.put(place)

    def close(self):
        for build, plain in self.all:
            build.close()
            plain.close()
            _clear(build.build)


def _having(build, tests, folders):
    """Return those of the tests that have an object of the folders."""
    made = {output for source, ones in build.compiles.items()
            if _inside(source, folders) for output, _ in ones}
    return [t for t in tests
            if any(made & build.objects(p) for p in build.programs(t.program))]


def measured(top, path, plain, folders, say, asked, jobs):
    """Return the coverage of the tree as it is; what has not changed since the
    last time is not measured again. @path is for the gcov build, @plain makes
    the Build without of a number from 1 to @jobs. @asked: suites, and folders
    of those that are mutants of now: who has none of these is not run."""
    cache = path.with_name(path.name + ".json")
    old = json.loads(cache.read_text())["tests"] if cache.exists() else {}
    places = _Places(top, path, plain, jobs)
    commands = places.first.tests()
    every = _having(places.first, listed(commands, asked[0]), asked[1])
    keys = {t.name: _key(places.first, t, commands[t.program][0], folders)
            for t in every}
    tests = {t.name: old[t.name] for t in every
             if old.get(t.name, {}).get("key") == keys[t.name]}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(places.measure, t, folders): t.name
                   for t in every if t.name not in tests}
        for done in concurrent.futures.as_completed(running):
            name, one = running[done], done.result()
            say(f"coverage {len(tests) + 1}/{len(every)} {name}"
                f"{'' if one else ': FAILS UNMUTATED, left out'}")
            if one:
                one["key"] = keys[name]
                tests[name] = old[name] = one
                cache.write_text(json.dumps({"tests": old}))
    places.close()
    kept = {"tests": tests, "code": _executable(places.first, folders),
            "left out": [t.name for t in every if t.name not in tests]}
    cache.write_text(json.dumps(dict(kept, tests=old)))
    return kept
