//go:build cgo && (linux || darwin || windows)

#include "driver.h"
#include "loader.h"

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#define DRIVER "nvcuda.dll"
#else
#define DRIVER "libcuda.so.1"
#endif

typedef int (*init_fn)(unsigned int flags);
typedef int (*int_fn)(int *out);
typedef int (*device_fn)(int *device, int ordinal);
typedef int (*name_fn)(char *name, int len, int device);
typedef int (*memory_fn)(size_t *bytes, int device);

void pfnamp_ask_driver(pfnamp_driver *d) {
	memset(d, 0, sizeof *d);
	void *lib = dlopen(DRIVER, RTLD_LAZY | RTLD_LOCAL);
	if (!lib) {
		snprintf(d->failure, sizeof d->failure, "no nvidia driver: %s", dlerror());
		return;
	}
	init_fn init = (init_fn)dlsym(lib, "cuInit");
	int_fn version = (int_fn)dlsym(lib, "cuDriverGetVersion");
	int_fn count = (int_fn)dlsym(lib, "cuDeviceGetCount");
	device_fn device = (device_fn)dlsym(lib, "cuDeviceGet");
	name_fn name = (name_fn)dlsym(lib, "cuDeviceGetName");
	memory_fn memory = (memory_fn)dlsym(lib, "cuDeviceTotalMem_v2");
	if (!init || !version || !count || !device || !name || !memory) {
		snprintf(d->failure, sizeof d->failure, DRIVER " is not the nvidia driver's");
		return;
	}
	int code = init(0);
	if (code) {
		snprintf(d->failure, sizeof d->failure, "the nvidia driver fails: cuInit returns %d", code);
		return;
	}
	version(&d->version);
	count(&d->count);
	if (d->count > PFNAMP_MAX_GPUS)
		d->count = PFNAMP_MAX_GPUS;
	for (int i = 0; i < d->count; i++) {
		int handle = 0;
		size_t bytes = 0;
		if (device(&handle, i))
			continue;
		name(d->name[i], sizeof d->name[i], handle);
		memory(&bytes, handle);
		d->memory[i] = bytes;
	}
}

int pfnamp_keep(const char *path) { return dlopen(path, RTLD_LAZY | RTLD_GLOBAL) ? 0 : -1; }
