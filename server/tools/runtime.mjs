// How the server's own process is run; in a file of its own so that a benchmark measures the same.

/**
 * New objects die young here: a large nursery would only hold memory. And where V8 may use 2 GB or more it lets the heap
 * grow to four times what is alive before it collects; below that, to less than twice.
 */
export const flags = ['--max-semi-space-size=4', '--max-old-space-size=1536'];

export const environment = {
  /** Without it glibc keeps the 19 MB that every password hash takes, once for each of its threads. */
  MALLOC_MMAP_THRESHOLD_: '4194304',
  /** Otherwise React draws pages by the build for its own developers, which is slower and takes more memory. */
  NODE_ENV: 'production',
};
