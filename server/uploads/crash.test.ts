import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Upload } from 'tus-js-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openOnDisk } from '#server/testing/on-disk.ts';
import { bearer } from '#server/testing/visitor.ts';

const RECEIVER = join(import.meta.dirname, 'testing/receiver.ts');
const SIZE = 96 * 1024 * 1024;
const PIECE = 8 * 1024 * 1024;

interface Served {
  child: ChildProcess;
  base: string;
}

async function serve(dataDir: string): Promise<Served> {
  const child = spawn(process.execPath, [RECEIVER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout!, 'data');
  return { child, base: `http://127.0.0.1:${String(port).trim()}` };
}
async function kill({ child }: Served): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const test = suite('an upload whose server is killed');

test('after each kill the upload resumes from the acknowledged offset, and the file arrives bit for bit', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'resume-'));
  const first = await openOnDisk(dataDir);
  const account = await first.build.account();
  await first.db.destroy();

  // Half of the file repeats a known text, to search for on the disk.
  const content = Buffer.concat([Buffer.alloc(SIZE / 2, 'PAN ABCDE1234F '), randomBytes(SIZE / 2)]);
  let server = await serve(dataDir);
  let url: string | null = null;
  let acknowledged = 0;
  const kills = [2, 5, 9, 11];
  let answer = '';
  try {
    // oxlint-disable-next-line no-unmodified-loop-condition -- what the server answers sets it
    for (let round = 0; answer === ''; round += 1) {
      const { base } = server;
      const stopAt: number = (kills[round] ?? Infinity) * PIECE;
      await new Promise<void>((resolve, reject) => {
        const upload: Upload = new Upload(content, {
          ...(url === null ? { endpoint: `${base}/api/documents/resumable` } : { uploadUrl: base + url }),
          headers: bearer(account.token),
          chunkSize: PIECE,
          retryDelays: [],
          metadata: { filename: 'Ledger.pdf' },
          onAfterResponse(_request, response) {
            const offset = Number(response.getHeader('Upload-Offset') ?? 0);
            assert.ok(offset >= acknowledged, `${offset} bytes are left of ${acknowledged}`);
            acknowledged = offset;
            if (response.getBody().includes('uploaded')) answer = response.getBody();
          },
          onProgress(sent) {
            if (sent < stopAt || server.child.killed) return;
            url = new URL(upload.url!).pathname;
            void kill(server)
              .then(() => upload.abort())
              .then(resolve, reject);
          },
          onSuccess: () => resolve(),
          onError: () => {},
        });
        upload.start();
      });
      if (answer === '') {
        for (const file of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
          if (!file.isFile()) continue;
          const bytes = await readFile(join(file.parentPath, file.name));
          assert.not(bytes.includes('PAN ABCDE1234F'), `${file.name} holds what should be sealed`);
        }
        server = await serve(dataDir);
      }
    }
    const { data } = JSON.parse(answer) as { data: { id: number; file_size: number } };
    assert.is(data.file_size, SIZE);
    const token = await fetch(`${server.base}/api/documents/${data.id}/download-token`, {
      method: 'POST',
      headers: bearer(account.token),
    });
    const { download_url } = (await token.json()) as { download_url: string };
    const hash = createHash('sha256');
    for await (const piece of (await fetch(server.base + download_url)).body!) hash.update(piece);
    assert.is(hash.digest('hex'), createHash('sha256').update(content).digest('hex'));
    await kill(server);

    const { db, services, blobs } = await openOnDisk(dataDir);
    try {
      assert.equal(await services.records.recount(), []);
      assert.equal(await db('storage_reservations'), []);
      await services.sweeper.drain();
      await services.sweeper.sweepOrphans({ grace: -60_000, force: true });
      const left = await Array.fromAsync(blobs.list());
      const parts = await db('blob_parts');
      assert.ok(parts.length > 1, 'the parts are joined, not copied');
      assert.is(left.length, parts.length + 1, 'nothing else is left');
    } finally {
      await services.stop();
      await db.destroy();
    }
  } finally {
    await kill(server);
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('acknowledged small files, each sent in one request, exist exactly once after kills', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'resume-'));
  const first = await openOnDisk(dataDir);
  const account = await first.build.account();
  await first.db.destroy();

  const files = Array.from({ length: 60 }, (_, n) => ({
    name: `scan ${n}.pdf`,
    key: randomUUID(),
    content: randomBytes(20_000),
  }));
  const answered = new Map<string, number>();
  let server = await serve(dataDir);
  const text = (value: string) => Buffer.from(value).toString('base64');
  async function send({ name, key, content }: (typeof files)[number]): Promise<void> {
    const response = await fetch(`${server.base}/api/documents/resumable`, {
      method: 'POST',
      body: content,
      headers: {
        ...bearer(account.token),
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-length': String(content.length),
        'upload-metadata': `filename ${text(name)},upload_key ${text(key)}`,
      },
    });
    const { data } = (await response.json()) as { data?: { id: number } };
    if (!response.ok || !data) throw new Error(`${response.status}`);
    answered.set(name, data.id);
    // Kills the server while other uploads are in progress.
    if ([10, 25, 40].includes(answered.size)) await kill(server);
  }
  try {
    while (answered.size < files.length) {
      const left = files.filter(({ name }) => !answered.has(name)).values();
      const three = Array.from({ length: 3 }, async () => {
        for (const file of left) await send(file);
      });
      await Promise.allSettled(three);
      if (server.child.killed) server = await serve(dataDir);
    }
    await kill(server);

    const { db, services, blobs } = await openOnDisk(dataDir);
    try {
      const { items } = await services.documents.folder(account.actor, null, { limit: 100 });
      assert.equal(
        new Map(items.map(({ name, id }) => [name, id])),
        new Map(files.map(({ name }) => [name, answered.get(name)])),
      );
      assert.is(items.length, files.length);
      for (const { name, content } of files) {
        const { blob_id } = await services.documents.openFile(account.actor, answered.get(name)!);
        assert.ok((await buffer(await blobs.get(blob_id))).equals(content), name);
      }
      assert.equal(await services.records.recount(), []);
      assert.equal(await db('storage_reservations'), []);
    } finally {
      await services.stop();
      await db.destroy();
    }
  } finally {
    await kill(server);
    await rm(dataDir, { recursive: true, force: true });
  }
});

test.run();
