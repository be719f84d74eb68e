// load_library.exe LIBRARY ENTRY: loads the library as Godot does, and calls its entry with an engine that has no functions.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

typedef void (*Function)(void);
typedef Function (*GetProcAddressOfEngine)(const char *);
typedef uint8_t (*Entry)(GetProcAddressOfEngine, void *, void *);

static Function has_none(const char *name) {
    (void)name;
    return NULL;
}

int main(int count, char **arguments) {
    // More than the structure that the entry fills has.
    static char initialization[256];
    if (count != 3) {
        return 2;
    }
    HMODULE library = LoadLibraryA(arguments[1]);
    if (library == NULL) {
        printf("LoadLibrary: error %lu\n", GetLastError());
        return 1;
    }
    Entry entry = (Entry)GetProcAddress(library, arguments[2]);
    if (entry == NULL) {
        printf("GetProcAddress: error %lu\n", GetLastError());
        return 1;
    }
    puts(entry(has_none, NULL, initialization) == 0 ? "refused" : "taken");
    return 0;
}
