import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The V8 compile cache of the sandboxed processes; `precompile.ts` writes it when packages are installed. */
export const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.compiled');
/** Where the cache is mounted in a container. */
const MOUNT_POINT = '/compiled';
/** Node puts the user id at the end of the name of a cache folder, and ignores the caches of other users. */
const USER_SUFFIX = /-\d+$/;

/**
 * Mounts the compile cache read-only into a container: arguments for bubblewrap, and for Node, whose permission model
 * demands write access to a cache before it reads it; the kernel refuses the write.
 */
export function compileCacheFor(user: number): { mounts: string[]; allowed: string[] } {
  const folders = (() => {
    try {
      return readdirSync(COMPILE_CACHE);
    } catch {
      return [];
    }
  })().filter((name) => USER_SUFFIX.test(name));
  if (folders.length === 0) return { mounts: [], allowed: [] };
  return {
    mounts: [
      ...folders.flatMap((name) => [
        // An update may delete the folder while the cache is rebuilt.
        '--ro-bind-try',
        join(COMPILE_CACHE, name),
        join(MOUNT_POINT, name.replace(USER_SUFFIX, `-${user}`)),
      ]),
      '--setenv',
      'NODE_COMPILE_CACHE',
      MOUNT_POINT,
    ],
    allowed: [`--allow-fs-read=${MOUNT_POINT}`, `--allow-fs-write=${MOUNT_POINT}`],
  };
}
