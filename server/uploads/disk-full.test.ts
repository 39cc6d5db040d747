import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { compose } from '#server/services.ts';
import { createBuild } from '#server/testing/build.ts';
import { CONTENT_TYPE, filePart, multipart } from '#server/testing/multipart.ts';
import { openVault } from '#server/vault/vault.ts';

const test = suite('a disk that is really full');
const disk = mkdtempSync(join(tmpdir(), 'almirah-small-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]).status === 0;
test.after(async () => {
  if (mounted) spawnSync('umount', ['-l', disk]);
  await rm(disk, { recursive: true });
});

// Mounting takes root; where the tests run without it, only the driver that fails on purpose shows the behaviour.
(mounted ? test : test.skip)('refuses, keeps what is there, and goes on once there is room', async () => {
  const config = readConfig({ DATA_DIR: join(disk, 'data') });
  const log = pino({ level: 'silent' });
  const vault = await openVault(config, log);
  const services = compose({ ...vault, config: { abuseLimits: false }, log, clock: () => new Date() });
  const server = buildApp({ services, vault, config, log }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { actor, token } = await createBuild({ ...vault, services }).account();
  const upload = async (megabytes: number) => {
    const response = await fetch(`${address}/api/documents/upload`, {
      method: 'POST',
      body: multipart([filePart('a.zip', randomBytes(megabytes * 1_000_000))]),
      headers: { 'Content-Type': CONTENT_TYPE, Authorization: `Bearer ${token}` },
    });
    return {
      status: response.status,
      json: (await response.json()) as { code?: string; data: { id: number } },
    };
  };
  try {
    const first = await upload(8);
    assert.is(first.status, 201);
    for (let n = 0; n < 3; n += 1) {
      const { status, json } = await upload(20);
      assert.is(status, 503);
      assert.is(json.code, 'disk_full');
    }
    assert.equal(await readdir(join(disk, 'data/blobs/tmp')), [], 'no half file is left');
    assert.is(await services.documents.used(actor.firmId), 8_000_000);
    const url = await services.documents.downloadUrl(actor, first.json.data.id);
    assert.is((await (await fetch(address + url)).arrayBuffer()).byteLength, 8_000_000, 'reading goes on');
    assert.is((await upload(4)).status, 201);
    await services.documents.remove(actor, [first.json.data.id]);
    await services.sweeper.drain();
    assert.is((await upload(10)).status, 201, 'room made is enough');
  } finally {
    server.closeAllConnections();
    server.close();
    await services.stop();
    await vault.close();
  }
});

test.run();
