// Whether standard stream fd (0 to 2) was closed when the program started.
int pfnamp_closed(int fd);
