// How the server's own process is run; in a file of its own so that a benchmark measures the same.

/**
 * New objects die young here: a large nursery would only hold memory. And where V8 may use 2 GB or more it lets the heap
 * grow to four times what is alive before it collects; below that, to less than twice.
 */
export const flags = ['--max-semi-space-size=4', '--max-old-space-size=1536'];

/** Without it glibc keeps the 19 MB that every password hash takes, once for each of its threads. */
export const environment = { MALLOC_MMAP_THRESHOLD_: '4194304' };
