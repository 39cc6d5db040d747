import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Client } from './client.ts';
import { PASSWORD, largeFolder } from './large-folder.ts';
import type { Figure } from './measure.ts';
import { fixed, median, percentile, timed } from './measure.ts';
import type { BenchServer } from './server.ts';
import { scratchFolder, startServer } from './server.ts';

const MB = 1024 * 1024;
const SIZE = Number(process.env.BENCH_DAV_MB ?? 1024);
const RUNS = Number(process.env.BENCH_DAV_RUNS ?? 5);
/** Items of the listed folder, and the number of listings. */
const [ITEMS, LISTS] = [10_000, 20];
const run = promisify(execFile);
type Way = 'put' | 'form' | 'tus' | 'get' | 'download';

/**
 * Measures WebDAV: upload and download of a 1 GiB file, compared with the API's upload and download in the same run, and the
 * listing of a folder of 10,000 items. The client is always curl, so its cost is the same for each. BENCH_DAV_MB and
 * BENCH_DAV_RUNS reduce the size of the file and the number of runs.
 */
export async function dav(): Promise<Figure[]> {
  const folder = await scratchFolder();
  const file = `${folder}.bin`;
  await randomFile(file);
  const many = await largeFolder(folder, ITEMS);
  const server = await startServer(folder, { TRASH_DAYS: '0' });
  try {
    const client = await Client.register(server.url);
    const curl: Curl = (...args) => run('curl', ['-sS', '--fail', '-H', 'Expect:', ...args]);
    return [
      ...(await transfers(server, client, file, await appPassword(server, client), curl)),
      ...(await listing(server, await appPassword(server, { ...many, password: PASSWORD }), curl)),
    ];
  } finally {
    await server.remove();
    await rm(file);
  }
}
type Curl = (...args: string[]) => Promise<{ stdout: string }>;

/** The arguments of curl that sign an account in, with an app password for all files. */
async function appPassword(
  server: BenchServer,
  { email, token, password }: { email: string; token: string; password: string },
): Promise<string[]> {
  const answer = await fetch(`${server.url}/api/app-passwords`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', read_only: false, folder_id: null, current_password: password }),
  });
  const { data } = (await answer.json()) as { data: { password: string } };
  return ['-u', `${email}:${data.password}`];
}

async function randomFile(path: string): Promise<void> {
  const block = randomBytes(MB);
  const file = await open(path, 'w');
  for (let index = 0; index < SIZE; index += 1) await file.write(block);
  await file.sync();
  await file.close();
}

async function transfers(
  server: BenchServer,
  client: Client,
  file: string,
  user: string[],
  curl: Curl,
): Promise<Figure[]> {
  const web = ['-H', `Authorization: Bearer ${client.token}`];
  const costs: Record<Way, { wall: number[]; cpu: number[] }> = {
    put: { wall: [], cpu: [] },
    form: { wall: [], cpu: [] },
    tus: { wall: [], cpu: [] },
    get: { wall: [], cpu: [] },
    download: { wall: [], cpu: [] },
  };
  // The first round warms everything up and is not counted.
  for (let round = 0; round <= RUNS; round += 1) {
    const measure = async (way: Way, args: string[]): Promise<string> => {
      const before = await server.cpu();
      let answer = '';
      const wall = await timed(async () => void (answer = (await curl(...args)).stdout));
      if (round > 0) costs[way].wall.push(wall);
      if (round > 0) costs[way].cpu.push((await server.cpu()) - before);
      return answer;
    };
    const drive = `${server.url}/dav/sent.pdf`;
    await measure('put', [...user, '-T', file, drive]);
    const form = await measure('form', [
      ...web,
      '-F',
      `file=@${file};filename=form.pdf`,
      `${server.url}/api/documents/upload`,
    ]);
    const { id } = (JSON.parse(form) as { data: { id: number } }).data;
    const created = await fetch(`${server.url}/api/documents/resumable`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${client.token}`,
        'Tus-Resumable': '1.0.0',
        'Upload-Length': String(SIZE * MB),
        'Upload-Metadata': `filename ${Buffer.from('tus.pdf').toString('base64')}`,
      },
    });
    const location = new URL(created.headers.get('location')!, server.url).href;
    const piece = [
      '-H',
      'Tus-Resumable: 1.0.0',
      '-H',
      'Upload-Offset: 0',
      '-H',
      'Content-Type: application/offset+octet-stream',
    ];
    const sent = await measure('tus', [...web, ...piece, '-X', 'PATCH', '-T', file, location]);
    await measure('get', [...user, '-o', '/dev/null', drive]);
    await measure('download', [...web, '-o', '/dev/null', server.url + (await client.downloadPath(id))]);
    await curl(...user, '-X', 'DELETE', drive);
    for (const itemId of [id, Number(/"id":(\d+)/.exec(sent)![1])])
      await client.call('DELETE', `/api/documents/${itemId}`);
  }

  const [wall, cpu] = (['wall', 'cpu'] as const).map((key) => (way: Way) => median(costs[way][key])) as [
    (way: Way) => number,
    (way: Way) => number,
  ];
  const compare = (ours: Way, other: Way, name: string): Figure => {
    const ratio = wall(other) / wall(ours);
    return {
      name,
      value: `${fixed(ratio, 2)} × (${fixed(SIZE / wall(ours), 0)} of ${fixed(SIZE / wall(other), 0)} MB/s; ${fixed(cpu(ours))} and ${fixed(cpu(other))} s of the server's processor)`,
      target: { text: 'at least 0.9 ×', reached: ratio >= 0.9 },
    };
  };
  return [
    compare('put', 'form', `PUT of ${SIZE} MB, against the web's upload as a form`),
    compare('put', 'tus', `PUT of ${SIZE} MB, against the web's resumable upload in one piece`),
    compare('get', 'download', `GET of ${SIZE} MB, against the web's download`),
  ];
}

/** Lists a large folder as WebDAV clients do. @param user whose only folder it is. */
async function listing(server: BenchServer, user: string[], curl: Curl): Promise<Figure[]> {
  const times: number[] = [];
  const before = await server.cpu();
  for (let start = 0; start <= LISTS; start += 1) {
    const args = [
      '-X',
      'PROPFIND',
      '-H',
      'Depth: 1',
      '-o',
      '/dev/null',
      '-w',
      '%{time_total} %{size_download}',
    ];
    const [seconds, bytes] = (await curl(...user, ...args, `${server.url}/dav/Everything`)).stdout
      .split(' ')
      .map(Number);
    if (bytes! < ITEMS * 200) throw new Error(`PROPFIND listed too few items: ${bytes} bytes`);
    if (start > 0) times.push(seconds! * 1000);
  }
  const cpu = (((await server.cpu()) - before) / (LISTS + 1)) * 1000;
  return [
    {
      name: `PROPFIND of ${ITEMS} items, p50 and p95`,
      value: `${fixed(median(times))} ms, ${fixed(percentile(times, 95))} ms; ${fixed(cpu)} ms of the server's processor`,
      target: { text: 'under 150 ms', reached: median(times) < 150 },
    },
  ];
}
