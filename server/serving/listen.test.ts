import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import { createKeyStore, TLS_PURPOSE } from '../tls/key-store.ts';
import { localCertificates } from '../tls/local.ts';
import { listen, listenPlain } from './listen.ts';

const quiet = { info() {}, error() {} };

const test = suite<{ port: number; close(): void }>('a port in use');

test.before.each(async (world) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  world.port = (other.address() as AddressInfo).port;
  world.close = () => void other.close();
});
test.after.each(({ close }) => close());

const told = (port: number, variable?: string) =>
  listenPlain(() => {}, { port, host: '127.0.0.1' }, variable).then(
    () => '',
    ({ message }: Error) => message,
  );

test('a port in use is reported with its number and the setting to change, PORT or HTTP_PORT', async ({
  port,
}) => {
  const said = await told(port);
  assert.match(said, String(port));
  assert.match(said, 'Set PORT to another number, or stop what uses this one.');
  assert.match(await told(port, 'HTTP_PORT'), 'Set HTTP_PORT to another number');
});

test('the log says that another HTTP_PORT does not help a public authority, which asks on port 80 alone', async ({
  port,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-listen-'));
  const baseUrl = 'https://vault.rao-associates.in';
  const told: string[] = [];
  for (const HTTPS of ['auto', 'local']) {
    const env = { HTTPS, BASE_URL: baseUrl, HOST: '127.0.0.1', PORT: '0', HTTP_PORT: String(port) };
    const config = readConfig({ ...env, DATA_DIR: folder });
    const seal = createColumnSealer(randomBytes(32), TLS_PURPOSE);
    const local = await localCertificates(
      createKeyStore(join(folder, HTTPS), seal),
      { appName: 'Test', name: 'localhost' },
      quiet,
    );
    const log = { ...quiet, error: (text: string) => void told.push(text) };
    // Nothing is asked of an authority: this certificate is as good as any.
    const listening = await listen(() => {}, config, local, log as unknown as Logger);
    assert.is(listening.httpPort, null);
    await listening.close(0);
  }
  await rm(folder, { recursive: true });
  assert.match(told[0] ?? '', /asks on port 80 alone.*ss -ltnp.*another HTTP_PORT helps only where a router/);
  assert.match(told[1] ?? '', 'Set HTTP_PORT to another number, or stop what uses this one.');
});

test('a port can be used once the other program has released it', async ({ port, close }) => {
  assert.is.not(await told(port), '');
  close();
  const listening = await listenPlain(() => {}, { port, host: '127.0.0.1' });
  await listening.close(0);
});

test.run();
