import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Keychain } from '#desktop/pairing/tokens.ts';

/** Timeout, so that a locked keychain, which may prompt in a hidden window, does not block the start. */
const PATIENCE_MS = 5000;
const LABEL = 'Almirah Uploader';

/** The desktop's keychain (Secret Service), by `secret-tool`; null when there is none. */
export function secretService(env: NodeJS.ProcessEnv = process.env): Keychain | null {
  if (process.platform !== 'linux' || !env.DBUS_SESSION_BUS_ADDRESS) return null;
  const program = (env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'secret-tool'))
    .find((path) => existsSync(path));
  if (!program) return null;

  const run = (args: string[], input = '') =>
    new Promise<string | null>((resolve, reject) => {
      const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: PATIENCE_MS, env });
      let output = '';
      child.stdout.on('data', (piece: Buffer) => (output += String(piece)));
      child.stdin.on('error', () => {});
      child.on('error', reject);
      child.on('close', (code) => resolve(code === 0 ? output : null));
      child.stdin.end(input);
    });
  const attributes = (name: string) => ['application', 'almirah-uploader', 'vault', name];
  return {
    async put(name, secret) {
      if ((await run(['store', '--label', LABEL, ...attributes(name)], secret)) === null)
        throw new Error('not stored');
    },
    get: (name) => run(['lookup', ...attributes(name)]),
    async remove(name) {
      await run(['clear', ...attributes(name)]);
    },
  };
}
