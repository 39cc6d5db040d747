import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { openProxy } from './proxy.ts';
import type { RunningProgram } from './program.ts';
import { isBuilt, startProgram } from './program.ts';

/** A vault, and the program as a separate process: the built executable if there is one. */
export interface Office extends World {
  dir: string;
  /** The watched folder. */
  scans: string;
  base: string;
  proxy: Awaited<ReturnType<typeof openProxy>>;
  account: Awaited<ReturnType<World['build']['account']>>;
  program: RunningProgram;
  start(): Promise<void>;
  /** Pairs through the signed-in browser. @returns the page that the browser shows afterwards. */
  pair(): Promise<string>;
  watch(more?: object): Promise<void>;
  /** Puts a whole file into the watched folder at once: a part of one that is still being written may go up first. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** SHA-256 of each file in a folder, by name. */
  held(folder?: number | null): Promise<Record<string, string>>;
  end(): Promise<void>;
}

export const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** Sets up `office`; the program is not started yet. */
export async function openOffice(office: Office): Promise<void> {
  Object.assign(office, await freshWorld({ abuseLimits: false }));
  office.dir = await mkdtemp(join(tmpdir(), 'uploader-'));
  office.scans = join(office.dir, 'scans');
  await mkdir(office.scans);
  office.proxy = await openProxy(await office.serve());
  office.base = office.proxy.base;
  office.account = await office.build.account();
  office.start = async () => {
    const args = ['--settle', '100', '--patience', '100'];
    office.program = await startProgram(join(office.dir, 'program'), { built: isBuilt(), args });
  };
  office.pair = () => pair(office.program, office);
  office.watch = async (more = {}) => {
    const vault = (await office.program.state()).vaults.find(({ base }) => base === office.base);
    await office.program.ask('POST', '/api/folders', { vault: vault!.id, path: office.scans, ...more });
  };
  office.put = async (name, bytes) => {
    const whole = join(office.dir, name);
    await writeFile(whole, bytes);
    await rename(whole, join(office.scans, name));
  };
  office.held = async (folder = null) => {
    const { items } = await office.services.documents.folder(office.account.actor, folder);
    const contents: Record<string, string> = {};
    for (const { id, name, type } of items)
      contents[name] = type === 'folder' ? 'folder' : await contentOf(office, id);
    return contents;
  };
  office.end = async () => {
    await office.program?.kill();
    office.proxy.close();
    await office.close();
    await rm(office.dir, { recursive: true, force: true });
  };
}

/** Pairs a program with a vault through the signed-in browser. */
export async function pair(program: RunningProgram, { base, account }: Office): Promise<string> {
  const { data } = await program.ask<{ data: { url: string } }>('POST', '/api/pair', { address: base });
  const { searchParams } = new URL(data.url);
  const response = await fetch(`${base}/api/desktop/authorize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ challenge: searchParams.get('challenge'), name: searchParams.get('name') }),
  });
  const { code } = ((await response.json()) as { data: { code: string } }).data;
  const redirect = `http://127.0.0.1:${searchParams.get('port')}/connected?code=${code}&state=${searchParams.get('state')}`;
  return (await fetch(redirect)).text();
}

async function contentOf({ services, account, blobs }: Office, id: number): Promise<string> {
  const { blob_id } = await services.documents.openFile(account.actor, id);
  const hash = createHash('sha256');
  for await (const piece of await blobs.get(blob_id)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
