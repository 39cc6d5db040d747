// How the server's own process is run; in a file of its own so that a benchmark measures the same.
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');

/**
 * New objects die young here: a large nursery would only hold memory. And where V8 may use 2 GB or more it lets the heap
 * grow to four times what is alive before it collects; below that, to less than twice.
 */
export const flags = ['--max-semi-space-size=4', '--max-old-space-size=1536'];

export const environment = {
  /** Without it glibc keeps the 19 MB that every password hash takes, once for each of its threads. */
  MALLOC_MMAP_THRESHOLD_: '4194304',
  /**
   * Compiled code is kept between starts, under systemd in the service's own cache. Set here and not by the server, whose first
   * file would be read before: the part of Node that reads types takes 15 MB, and is not loaded for what was compiled.
   */
  NODE_COMPILE_CACHE: join(process.env.CACHE_DIRECTORY ?? join(root, 'node_modules/.cache'), 'compiled'),
  /** Otherwise React draws pages by the build for its own developers, which is slower and takes more memory. */
  NODE_ENV: 'production',
};
