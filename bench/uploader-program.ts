import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunningProgram } from '#desktop/testing/program.ts';
import { isBuilt, startProgram } from '#desktop/testing/program.ts';
import type { Client } from './client.ts';
import type { BenchServer } from './server.ts';

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs the uploader as a process, with functions to pair it with the vault and to read its queue. */
export async function openProgram(server: BenchServer, client: Client, args = ['--settle', '100']) {
  const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'almirah-bench-uploader-'));
  const [dir, watched] = [join(folder, 'program'), join(folder, 'scans')];
  await mkdir(watched);
  let running: RunningProgram | undefined;
  let queue: DatabaseSync | undefined;
  const program = {
    watched,
    async start(): Promise<void> {
      running = await startProgram(dir, { built: isBuilt(), args });
      queue = new DatabaseSync(join(dir, 'queue.db'));
    },
    async stop(): Promise<void> {
      queue?.close();
      await running?.kill('SIGTERM');
    },
    async remove(): Promise<void> {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
    pause: (paused: boolean) => running!.ask('POST', '/api/settings', { paused }),
    state: () => running!.state(),
    /** Pairs the program as the page in a signed-in browser does, and watches the folder. */
    async pair(folder: object = {}): Promise<void> {
      const pairing = await running!.ask<{ data: { url: string } }>('POST', '/api/pair', {
        address: server.url,
      });
      const { searchParams: query } = new URL(pairing.data.url);
      const { code } = (
        await client.call<{ data: { code: string } }>('POST', '/api/desktop/authorize', {
          challenge: query.get('challenge'),
          name: query.get('name'),
        })
      ).data;
      await fetch(`http://127.0.0.1:${query.get('port')}/connected?code=${code}&state=${query.get('state')}`);
      const [vault] = (await running!.state()).vaults;
      await running!.ask('POST', '/api/folders', { vault: vault!.id, path: watched, ...folder });
    },
    async until(state: string, files: number): Promise<void> {
      const count = queue!.prepare('SELECT count(*) AS files FROM files WHERE state = ?');
      while (Number(count.get(state)?.files) < files) await pause(10);
    },
    ids: () =>
      queue!
        .prepare('SELECT item_id FROM files WHERE item_id IS NOT NULL')
        .all()
        .map((row) => Number(row.item_id)),
    /** Marks all files of the queue as uploaded. */
    markAllDone: () => queue!.exec(`UPDATE files SET state = 'done'`),
    /** Processor seconds so far. */
    async cpu(): Promise<number> {
      const fields = (await readFile(`/proc/${running!.child.pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    /** Resident memory, now and at its peak. */
    async megabytes(): Promise<{ now: number; peak: number }> {
      const status = await readFile(`/proc/${running!.child.pid}/status`, 'utf8');
      const of = (key: string) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
      return { now: of('VmRSS'), peak: of('VmHWM') };
    },
  };
  return program;
}
export type Program = Awaited<ReturnType<typeof openProgram>>;
