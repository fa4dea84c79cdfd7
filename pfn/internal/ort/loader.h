#ifndef PFNAMP_LOADER_H
#define PFNAMP_LOADER_H

// The loader of the system under its POSIX names. Paths are UTF-8.

#ifndef _WIN32
#include <dlfcn.h>
#else
#include <stdio.h>
#include <string.h>
#include <windows.h>

enum { RTLD_NOW, RTLD_LAZY = 0, RTLD_LOCAL = 0, RTLD_GLOBAL = 0 };

typedef struct {
	const char *dli_fname;
} Dl_info;

// What the last call of a thread failed with.
static const char *dlerror(void) {
	static _Thread_local char text[256];
	DWORD code = GetLastError();
	DWORD n = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, code,
		MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US), text, sizeof text, NULL);
	if (!n)
		snprintf(text, sizeof text, "error %lu of Windows", code);
	return text;
}

// Loads a library. Beside one that is named by its full path lie the libraries that it needs.
static void *dlopen(const char *path, int flags) {
	(void)flags;
	wchar_t wide[4096];
	if (!MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, sizeof wide / sizeof *wide))
		return NULL;
	DWORD search = strpbrk(path, "/\\") ? LOAD_WITH_ALTERED_SEARCH_PATH : 0;
	return (void *)LoadLibraryExW(wide, NULL, search);
}

static void *dlsym(void *library, const char *name) {
	return (void *)GetProcAddress((HMODULE)library, name);
}

static inline int dlclose(void *library) { return !FreeLibrary((HMODULE)library); }

// Names the file that holds an address; 0 is failure.
static inline int dladdr(const void *address, Dl_info *info) {
	static _Thread_local char path[4096];
	wchar_t wide[4096];
	HMODULE library;
	DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
		GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
	if (!GetModuleHandleExW(how, (const wchar_t *)address, &library))
		return 0;
	DWORD n = GetModuleFileNameW(library, wide, sizeof wide / sizeof *wide);
	if (!n || !WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, sizeof path, NULL, NULL))
		return 0;
	info->dli_fname = path;
	return 1;
}
#endif

#endif
