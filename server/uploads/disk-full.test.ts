import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm, statfs, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import type { Services } from '#server/services.ts';
import { compose } from '#server/services.ts';
import type { Build } from '#server/testing/build.ts';
import { createBuild } from '#server/testing/build.ts';
import { CONTENT_TYPE, filePart, multipart } from '#server/testing/multipart.ts';
import { smallDisk } from '#server/testing/small-disk.ts';
import { bearer, Visitor } from '#server/testing/visitor.ts';
import type { DataDir } from '#server/datadir/datadir.ts';
import { openDataDir } from '#server/datadir/datadir.ts';

const MB = 1_000_000;

interface Office {
  vault: DataDir;
  services: Services;
  server: Server;
  base: string;
  account: Awaited<ReturnType<Build['account']>>;
  visitor: Visitor;
  upload(megabytes: number): Promise<{ status: number; code?: string; id: number }>;
  /** Fills the remaining space, as another program might. */
  fill(): Promise<void>;
}

const test = suite<Office>('uploads to a full disk');
const disk = smallDisk(64);
test.before.each(async (office) => {
  const config = readConfig({ DATA_DIR: join(disk!.path, 'data') });
  const log = pino({ level: 'silent' });
  const vault = await openDataDir(config, log);
  const services = compose({
    ...vault,
    config: { abuseLimits: false, trashDays: 0 },
    log,
    clock: () => new Date(),
  });
  const server = buildApp({ services, vault, config, log }).listen(0, '127.0.0.1');
  // Longer than a busy computer takes to make the next body: the client would use a connection that is just being closed.
  server.keepAliveTimeout = 60_000;
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const account = await createBuild({ ...vault, services }).account();
  Object.assign(office, { vault, services, server, base, account, visitor: new Visitor(base) });
  office.upload = async (megabytes) => {
    const response = await fetch(`${base}/api/documents/upload`, {
      method: 'POST',
      body: multipart([filePart('a.zip', randomBytes(megabytes * MB))]),
      headers: { 'Content-Type': CONTENT_TYPE, ...bearer(account.token) },
    });
    const { code, data } = (await response.json()) as { code?: string; data?: { id: number } };
    return { status: response.status, ...(code && { code }), id: data?.id ?? 0 };
  };
  office.fill = async () => {
    for (let n = 0; ; n += 1) {
      const { bavail, bsize } = await statfs(disk!.path);
      if (bavail === 0) return;
      await writeFile(join(disk!.path, `other-${n}`), Buffer.alloc(Math.min(bavail * bsize, 8 * MB))).catch(
        () => {},
      );
    }
  };
});
test.after.each(async ({ server, services, vault }) => {
  server.closeAllConnections();
  server.close();
  await services.stop();
  await vault.close();
  for (const name of await readdir(disk!.path)) await rm(join(disk!.path, name), { recursive: true });
});
test.after(() => disk?.remove());
const onSmallDisk = disk ? test : test.skip;

onSmallDisk('uploads that do not fit are refused, and work again once there is space', async (office) => {
  const { upload, services, base, account } = office;
  const first = await upload(24);
  assert.is(first.status, 201);
  for (let n = 0; n < 3; n += 1) assert.equal(await upload(48), { status: 503, code: 'disk_full', id: 0 });
  assert.equal(await readdir(join(disk!.path, 'data/blobs/tmp')), [], 'no half file is left');
  assert.is(await services.records.used(account.actor.firmId), 24 * MB);
  const url = await services.documents.downloadUrl(account.actor, first.id);
  assert.is((await (await fetch(base + url)).arrayBuffer()).byteLength, 24 * MB, 'reading goes on');
  assert.is((await upload(8)).status, 201);
  await services.documents.remove(account.actor, [first.id]);
  await services.sweeper.drain();
  assert.is((await upload(24)).status, 201, 'room made is enough');
});

onSmallDisk(
  'on a full disk users can sign in, download and delete, and after deleting there is space for uploads again',
  async (office) => {
    const { upload, fill, visitor, account, services } = office;
    const headers = bearer(account.token);
    const files = [];
    for (let n = 0; n < 5; n += 1) files.push(await upload(6));
    await fill();
    await visitor.arrive();
    const { email, password } = account;
    assert.is((await visitor.post('/api/auth/login', { email, password })).status, 200);
    const link = await visitor.post(`/api/documents/${files[0]!.id}/download-token`, {}, { headers });
    assert.is(link.status, 200, link.text);
    assert.is((await fetch(office.base + link.json.download_url)).status, 200);
    assert.equal(await upload(1), { status: 503, code: 'disk_full', id: 0 });
    const begun = await visitor.post('/api/documents/resumable', undefined, {
      headers: {
        ...headers,
        'tus-resumable': '1.0.0',
        'upload-length': '9',
        'upload-metadata': 'filename YS5wZGY=',
      },
    });
    const sent = await visitor.call('PATCH', begun.headers.get('location')!, {
      body: Buffer.from('123456789'),
      headers: {
        ...headers,
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
    });
    assert.equal([sent.status, sent.json.code], [503, 'disk_full']);
    const health = await visitor.get('/healthz');
    assert.is(health.status, 503);
    assert.equal(
      health.json.problems.map(({ code }: { code: string }) => code),
      ['disk_full'],
    );
    const gone = await visitor.post('/api/documents/delete', { ids: files.map(({ id }) => id) }, { headers });
    assert.equal([gone.status, gone.json.data.done.length], [200, 5]);
    await services.sweeper.drain();
    assert.is((await upload(6)).status, 201);
    assert.is((await visitor.get('/healthz')).status, 200);
    await services.deferred.flush();
    const history = await office.vault.db('audit_events').where({ did: 'document.download' });
    assert.is(history.length, 1, 'what was read meanwhile is on record');
  },
);

onSmallDisk('a server that starts on a full disk can open and delete existing files', async (office) => {
  const file = await office.upload(6);
  await office.fill();
  await office.vault.room.refresh();
  await office.services.stop();
  await office.vault.close();
  const config = readConfig({ DATA_DIR: join(disk!.path, 'data') });
  const log = pino({ level: 'silent' });
  const vault = await openDataDir(config, log);
  const services = compose({
    ...vault,
    config: { abuseLimits: false, trashDays: 0 },
    log,
    clock: () => new Date(),
  });
  Object.assign(office, { vault, services });
  services.start();
  const { actor } = office.account;
  const { blob_id } = await services.documents.openFile(actor, file.id);
  assert.is(await vault.blobs.size(blob_id), 6 * MB);
  assert.equal((await services.documents.remove(actor, [file.id])).done, [file.id]);
});

test.run();
