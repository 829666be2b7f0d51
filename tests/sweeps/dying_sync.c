/* Preloaded, it kills the process just before it does a thing to a file for the DIE_AT-th time that may
   not be undone: to put it on the disk, to cut it, to remove or to rename it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static void step(void) {
  static long steps = 0;
  const char *last = getenv("DIE_AT");
  if (last && ++steps >= atol(last)) kill(getpid(), SIGKILL);
}

#define WRAP(name, kinds, words)                        \
  int name kinds {                                      \
    static int(*real) kinds;                            \
    if (!real) real = (int(*) kinds)dlsym(RTLD_NEXT, #name); \
    step();                                             \
    return real words;                                  \
  }

WRAP(fsync, (int file), (file))
WRAP(fdatasync, (int file), (file))
WRAP(ftruncate, (int file, off_t length), (file, length))
WRAP(ftruncate64, (int file, off64_t length), (file, length))
WRAP(unlink, (const char *name), (name))
WRAP(rename, (const char *from, const char *to), (from, to))
