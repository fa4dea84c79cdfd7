#ifndef PFNAMP_DRIVER_H
#define PFNAMP_DRIVER_H

enum { PFNAMP_MAX_GPUS = 16 };

// What the NVIDIA driver says about the machine.
typedef struct {
	int version; // 1000 * major + 10 * minor of the newest CUDA it can run
	int count;
	char name[PFNAMP_MAX_GPUS][128];
	unsigned long long memory[PFNAMP_MAX_GPUS]; // bytes in all
	char failure[256];                          // why there is no driver to ask; "" if there is
} pfnamp_driver;

void pfnamp_ask_driver(pfnamp_driver *d);

// Loads a library whose symbols others may use; 0, or -1 if it cannot be loaded.
int pfnamp_keep(const char *path);

#endif
