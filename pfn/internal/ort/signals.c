//go:build cgo && (linux || darwin)

#include "signals.h"

#include <string.h>

void pfnamp_save(pfnamp_handlers *h) {
	memset(h, 0, sizeof *h);
	for (int s = 1; s < 32; s++)
		if (s != SIGKILL && s != SIGSTOP && sigaction(s, NULL, &h->action[s]) == 0)
			h->known |= 1u << s;
}

unsigned int pfnamp_restore(const pfnamp_handlers *h) {
	unsigned int changed = 0;
	for (int s = 1; s < 32; s++) {
		struct sigaction now;
		if (!(h->known & (1u << s)) || sigaction(s, NULL, &now) != 0)
			continue;
		const struct sigaction *was = &h->action[s];
		if (now.sa_handler == was->sa_handler && now.sa_flags == was->sa_flags)
			continue;
		// Go itself may have changed a handler meanwhile: it installs one where none was, or
		// ignores a signal. Only a handler that was there and has been replaced is put back.
		if (was->sa_handler == SIG_DFL || was->sa_handler == SIG_IGN ||
		    now.sa_handler == SIG_IGN)
			continue;
		if (sigaction(s, was, NULL) == 0)
			changed |= 1u << s;
	}
	return changed;
}
