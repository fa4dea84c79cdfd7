#ifndef PFNAMP_PROBE_H
#define PFNAMP_PROBE_H

#include <stdint.h>

// What pfnamp_open and pfnamp_ask learn about a library.
typedef struct {
	void *handle;
	const void *base;
	char text[512];      // the version, or the reason of a failure
	char path[4096];     // the file that the loader chose
	char providers[512]; // names separated by spaces
} pfnamp_probed;

// Loads the library; 0, or -1 with the reason in text (handle is NULL if it could not be loaded).
int pfnamp_open(const char *path, pfnamp_probed *r);

// Asks for a C API version and the providers; 0, or -1 if that version is not served.
int pfnamp_ask(pfnamp_probed *r, uint32_t api);

void pfnamp_close(pfnamp_probed *r);

// The version of the GNU C library, or NULL if it is another.
const char *pfnamp_glibc(void);

#endif
