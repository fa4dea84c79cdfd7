//go:build cgo && (linux || darwin || windows)

#define _GNU_SOURCE
#include "loader.h"
#include "probe.h"

#include <stdio.h>
#include <string.h>

// The two functions of OrtApiBase, whose layout is the same in every release.
typedef struct {
	const void *(*get_api)(uint32_t version);
	const char *(*version)(void);
} api_base;

// Places of functions in OrtApi. The table only ever grows at its end, so a place is the same in
// every release that has the function (1.4 for both).
enum { release_status = 93, available_providers = 125, release_providers = 126 };

typedef void *(*available_fn)(char ***names, int *n);
typedef void *(*release_fn)(char **names, int n);
typedef void (*release_status_fn)(void *status);

static void keep(char *to, size_t size, const char *from) {
	snprintf(to, size, "%s", from ? from : "no reason given");
}

int pfnamp_open(const char *path, pfnamp_probed *r) {
	memset(r, 0, sizeof *r);
	r->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!r->handle) {
		keep(r->text, sizeof r->text, dlerror());
		return -1;
	}
	const api_base *(*get_base)(void) =
		(const api_base *(*)(void))dlsym(r->handle, "OrtGetApiBase");
	if (!get_base) {
		keep(r->text, sizeof r->text, "it has no symbol OrtGetApiBase");
		return -1;
	}
	Dl_info info;
	if (dladdr((void *)get_base, &info) && info.dli_fname)
		keep(r->path, sizeof r->path, info.dli_fname);
	const api_base *base = get_base();
	if (!base) {
		keep(r->text, sizeof r->text, "OrtGetApiBase returned nothing");
		return -1;
	}
	r->base = base;
	keep(r->text, sizeof r->text, base->version());
	return 0;
}

int pfnamp_ask(pfnamp_probed *r, uint32_t api) {
	const api_base *base = r->base;
	void *const *table = base->get_api(api);
	if (!table)
		return -1;
	char **names = NULL;
	int n = 0;
	void *status = ((available_fn)table[available_providers])(&names, &n);
	if (status) {
		((release_status_fn)table[release_status])(status);
		return 0;
	}
	size_t used = 0;
	for (int i = 0; i < n && used + strlen(names[i]) + 2 < sizeof r->providers; i++)
		used += sprintf(r->providers + used, "%s ", names[i]);
	((release_fn)table[release_providers])(names, n);
	return 0;
}

void pfnamp_close(pfnamp_probed *r) {
	if (r->handle)
		dlclose(r->handle);
	r->handle = NULL;
}

#ifdef __GLIBC__
#include <gnu/libc-version.h>
const char *pfnamp_glibc(void) { return gnu_get_libc_version(); }
#else
const char *pfnamp_glibc(void) { return NULL; }
#endif
