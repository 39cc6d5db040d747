// How the server's own process is run; in a file of its own so that a benchmark measures the same.

/** New objects die young here: a large nursery would only hold memory. */
export const flags = ['--max-semi-space-size=4'];

/** Without it glibc keeps the 19 MB that every password hash takes, once for each of its threads. */
export const environment = { MALLOC_MMAP_THRESHOLD_: '4194304' };
