// Node flags and environment of the server process; in a file of its own so that benchmarks use the same.
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');

/**
 * A young generation of 16 MB, collected by one thread: with 4 MB and helper threads, which are woken for each of many
 * small collections, an upload of 50 KB takes a quarter more of the processor; while idle, both hold the same memory.
 * With a heap limit of 2 GB or more, V8 lets the heap grow to four times the live size before it collects; below that,
 * to less than twice. `serving/idle-memory.ts` frees memory through the exposed function.
 */
export const flags = [
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--max-old-space-size=1536',
  '--expose-gc',
];

export const environment = {
  /** Without it glibc keeps the 19 MB of every password hash allocated, once per thread, and 15 MB of the start. */
  MALLOC_MMAP_THRESHOLD_: '1048576',
  /**
   * Compile cache, under systemd in the service's own cache folder. Set here rather than in the server, because
   * the server's first file would be compiled before: Node's type stripper takes 15 MB, and is not loaded when
   * compiled code is cached.
   */
  NODE_COMPILE_CACHE: join(process.env.CACHE_DIRECTORY ?? join(root, 'node_modules/.cache'), 'compiled'),
  /** Otherwise React uses its development build, which is slower and takes more memory. */
  NODE_ENV: 'production',
};
