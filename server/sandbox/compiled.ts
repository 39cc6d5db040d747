import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where Node has noted what it compiled of the processes that read files; `precompile.ts` makes it when packages are installed. */
export const COMPILED = join(import.meta.dirname, '../../node_modules/.compiled');
/** Where such a process finds it. */
const INSIDE = '/compiled';
/** Its folder bears the number of the user at its end: nobody takes what another one has compiled. */
const USER = /-\d+$/;

/**
 * What gives a process in a container what was compiled, which it cannot change: arguments of bubblewrap, and of Node, whose
 * permission model asks for leave to write before it reads there; the kernel, which has the last word, refuses it.
 */
export function compiledFor(user: number): { mounts: string[]; allowed: string[] } {
  const folders = (() => {
    try {
      return readdirSync(COMPILED);
    } catch {
      return [];
    }
  })().filter((name) => USER.test(name));
  if (folders.length === 0) return { mounts: [], allowed: [] };
  return {
    mounts: [
      ...folders.flatMap((name) => [
        // An update compiles anew meanwhile.
        '--ro-bind-try',
        join(COMPILED, name),
        join(INSIDE, name.replace(USER, `-${user}`)),
      ]),
      '--setenv',
      'NODE_COMPILE_CACHE',
      INSIDE,
    ],
    allowed: [`--allow-fs-read=${INSIDE}`, `--allow-fs-write=${INSIDE}`],
  };
}
