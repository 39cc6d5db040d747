import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openRelease } from '../updates/archive.ts';
import { currentOf, releasesOf, versionIn } from '../updates/layout.ts';
import { readKeys } from '../updates/release.ts';
import { NEW, dependenciesOf, makeInstallation } from '../updates/testing/installation.ts';
import { update } from '../updates/update.ts';
import { localArchive } from './update-fit.ts';

/** Does `work` with the address of a server that answers so. */
async function served(answer: RequestListener, work: (address: string) => Promise<void>): Promise<void> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await work(`http://127.0.0.1:${port}/almirah-${NEW}.tar.gz`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a release is installed from its address, since the downloaded archive stays until it is unpacked', async () => {
  const here = await makeInstallation();
  const bytes = await readFile(here.archive);
  try {
    await served(
      (_, response) => response.end(bytes),
      async (address) => {
        const { file, temporary } = await localArchive(here.base, address);
        assert.ok(temporary);
        const release = await openRelease(file, readKeys(here.key), null);
        const { outcome } = await update(dependenciesOf({ ...here, archive: file }), release);
        assert.is(outcome, 'done');
        assert.is(await versionIn(await currentOf(here.base)), NEW);
      },
    );
  } finally {
    await here.remove();
  }
});

test('a folder, and what is no file, are refused with what an archive may be', async () => {
  const refusal = (from: string) =>
    localArchive('/nowhere', from).then(
      () => '',
      ({ message }: Error) => message,
    );
  assert.match(await refusal(import.meta.dirname), /is no file. Give the archive/);
  assert.match(await refusal('stats'), /There is no file.*one of status, back and finish/);
});

test('a download that breaks off leaves no file behind, and one left by a power failure is replaced', async () => {
  const here = await makeInstallation();
  const bytes = await readFile(here.archive);
  try {
    await served(
      (_, response) => {
        response.writeHead(200, { 'content-length': bytes.length });
        response.write(bytes.subarray(0, 100), () => response.destroy());
      },
      (address) =>
        localArchive(here.base, address).then(
          () => assert.unreachable(),
          (error: Error) => assert.match(error.message, /could not be downloaded/),
        ),
    );
    assert.equal(await readdir(releasesOf(here.base)), []);
    await writeFile(join(releasesOf(here.base), 'download.tar.gz'), Buffer.alloc(bytes.length + 100));
    await served(
      (_, response) => response.end(bytes),
      async (address) => {
        const { file } = await localArchive(here.base, address);
        assert.ok(existsSync(file));
        assert.equal(await readFile(file), bytes);
      },
    );
  } finally {
    await here.remove();
  }
});

test.run();
