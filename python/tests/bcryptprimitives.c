// The one function of Windows' bcryptprimitives.dll that Go asks for, for a wine that lacks
// the library, as that of Debian 12: random bytes of the source that wine has.

typedef unsigned char byte;

__declspec(dllimport) byte SystemFunction036(byte *data, unsigned long size); // RtlGenRandom

int DllMainCRTStartup(void *dll, unsigned reason, void *reserved) { return 1; }

__declspec(dllexport) int ProcessPrng(byte *data, unsigned long long size) {
	return SystemFunction036(data, (unsigned long)size);
}
