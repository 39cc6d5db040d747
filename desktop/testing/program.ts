import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WindowState } from '#desktop/window/state.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Path of the built program, if it was built. */
export const BUILT = join(ROOT, 'dist-desktop/programs/linux-x64/almirah-uploader');
export const isBuilt = (): boolean => existsSync(BUILT);

export interface RunningProgram {
  child: ChildProcess;
  /** URL of the window, without a trailing slash. */
  base: string;
  cookie: string;
  ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  state(): Promise<WindowState>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the program in a process of its own and opens its window like a browser. */
export async function startProgram(
  dir: string,
  { built = false, args = [] }: { built?: boolean; args?: string[] } = {},
): Promise<RunningProgram> {
  const [program, ...firstArgs] = built ? [BUILT] : [process.execPath, join(ROOT, 'desktop/main.ts')];
  const child = spawn(program!, [...firstArgs, '--data', dir, '--background', '--address', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // Keep it from opening a browser or asking a keychain.
    env: { PATH: '/nowhere', HOME: dir, ALMIRAH_UPLOADER_DIR: dir },
  });
  const [output] = (await once(child.stdout!, 'data')) as [Buffer];
  return openedAt(String(output).trim(), child);
}

/** Opens the window of a program by its one-time URL. */
export async function openedAt(address: string, child: ChildProcess): Promise<RunningProgram> {
  const opened = await fetch(address, { redirect: 'manual' });
  const base = new URL(address).origin;
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';

  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(base + path, {
      method,
      headers: { cookie, origin: base },
      ...(body !== undefined && {
        body: body instanceof Buffer ? new Uint8Array(body) : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as T;
  }
  return {
    child,
    base,
    cookie,
    ask,
    state: () => ask<WindowState>('GET', '/api/state'),
    async kill(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}
