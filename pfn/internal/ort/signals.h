#ifndef PFNAMP_SIGNALS_H
#define PFNAMP_SIGNALS_H

#include <signal.h>

// The handlers of the signals 1 to 31.
typedef struct {
	struct sigaction action[32];
	unsigned int known; // bit s is set if action[s] was read
} pfnamp_handlers;

void pfnamp_save(pfnamp_handlers *h);

// Puts back every handler that differs from h; returns a bit for each signal that did.
unsigned int pfnamp_restore(const pfnamp_handlers *h);

#endif
