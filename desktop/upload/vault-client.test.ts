import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer as createPlain } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openAuthority } from '#server/tls/authority.ts';
import type { Authority } from '#server/tls/authority.ts';
import { closeConnections } from './http.ts';
import { UploadError } from './upload-error.ts';
import { createVaultClient } from './vault-client.ts';

const PROGRAM = { version: '1.0.0', platform: 'linux-x64' } as const;
const DAY = 24 * 60 * 60_000;

const says = (_: unknown, answer: { end(text: string): void }) => answer.end('{"data":{"may_write":true}}');
async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
/** The result of connecting to a vault with such a certificate; null when it is accepted. */
async function asked(authority: Authority, from: Date): Promise<UploadError | null> {
  const server = createServer(await authority.issue(['localhost', '127.0.0.1'], from), says);
  const client = createVaultClient(`https://127.0.0.1:${await listening(server)}`, 'almd_x', PROGRAM);
  try {
    await client.me();
    return null;
  } catch (error) {
    assert.instance(error, UploadError);
    return error as UploadError;
  } finally {
    closeConnections();
    server.close();
  }
}
const anAuthority = () =>
  openAuthority(
    { load: async () => null, save: async () => {} },
    { appName: 'Almirah', name: '127.0.0.1', now: new Date() },
  );

test('nothing is sent to a vault with a new certificate until this computer trusts it', async () => {
  const [known, fresh] = await Promise.all([anAuthority(), anAuthority()]);
  setDefaultCACertificates([...getCACertificates('bundled'), known.cert]);
  assert.is(await asked(known, new Date()), null);
  assert.is((await asked(fresh, new Date()))?.hold, 'certificate');
  setDefaultCACertificates([...getCACertificates('bundled'), known.cert, fresh.cert]);
  assert.is(await asked(fresh, new Date()), null);
});

test('a clock two days behind is named as the cause when the certificate is not valid yet', async () => {
  const known = await anAuthority();
  setDefaultCACertificates([...getCACertificates('bundled'), known.cert]);
  const trouble = await asked(known, new Date(Date.now() + 3 * DAY));
  assert.is(trouble?.hold, 'certificate');
  assert.match(trouble!.message, 'the clock of this computer is wrong');
});

test('an error in reading a file during its upload, such as a lock, is not reported as an error of the vault', async () => {
  const server = createPlain((request, answer) =>
    request.on('error', () => {}).on('end', () => says(0, answer)),
  );
  const client = createVaultClient(`http://127.0.0.1:${await listening(server)}`, 'almd_x', PROGRAM);
  // The errors of Windows for a workbook that Excel has locked, and for a network share that was lost.
  for (const code of ['EBUSY', 'EPERM', 'EIO', 'ENOENT']) {
    const locked = Object.assign(new Error(code), { code });
    const body = (async function* () {
      yield Buffer.from('the first page');
      throw locked;
    })();
    const { signal } = new AbortController();
    await client.send('/api/documents/resumable/1', 0, body, 1000, signal).then(
      () => assert.unreachable(),
      (error) => assert.is(error, locked),
    );
  }
  closeConnections();
  server.close();
});

test.run();
