import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keyPath, parseSecret } from '#storage/keys.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { readConfig } from '../config/config.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { passphraseForm } from '../datadir/keys/forms.ts';
import { moveKey } from '../datadir/keys/move.ts';
import { CHEAP } from '../datadir/testing/cheap-cost.ts';
import { freePort } from '../testing/free-port.ts';
import { migratedFile } from '../testing/template.ts';
import { until } from '../testing/until.ts';
import { WrongPassphrase } from '../datadir/keys/passphrase.ts';
import { openLockedServer } from './locked-server.ts';
import { createUnlockServer } from './unlock.ts';

interface Ctx {
  now: number;
  tried: string[];
  unlocking: ReturnType<typeof createUnlockServer<string>>;
}
const RIGHT = 'the right one, of several words';

const test = suite<Ctx>('unlocking a vault in the browser');
test.before.each(async (ctx) => {
  ctx.now = 0;
  ctx.tried = [];
  ctx.unlocking = createUnlockServer({
    appName: 'Almirah',
    baseUrl: 'https://vault.example.in',
    now: () => ctx.now,
    log: pino({ level: 'silent' }),
    open: async (passphrase) => {
      ctx.tried.push(passphrase);
      if (passphrase !== RIGHT) throw new WrongPassphrase('Not this one.');
      return 'open';
    },
  });
  ctx.unlocking.server.listen(0, '127.0.0.1');
  await once(ctx.unlocking.server, 'listening');
});
test.after.each(({ unlocking }) => {
  unlocking.server.close();
  unlocking.server.closeAllConnections();
});

async function ask(
  { unlocking }: Ctx,
  path: string,
  { passphrase, ...headers }: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  const { port } = unlocking.server.address() as AddressInfo;
  const body = passphrase === undefined ? undefined : new URLSearchParams({ passphrase }).toString();
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: { Host: `127.0.0.1:${port}`, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  return { status: answer.statusCode, text: Buffer.concat(parts).toString(), headers: answer.headers };
}

test('the right passphrase opens the vault, and a wrong one shows an error at its field', async (ctx) => {
  const page = await ask(ctx, '/');
  assert.match(page.text, /This vault is locked/);
  assert.match(String(page.headers['content-security-policy']), "default-src 'none'");
  assert.match((await ask(ctx, '/healthz')).text, /"status":"locked"/);
  const wrong = await ask(ctx, '/unlock', { passphrase: 'no' });
  assert.is(wrong.status, 403);
  assert.match(wrong.text, /role="alert">Not this one\./);
  ctx.now += 2000;
  assert.match((await ask(ctx, '/unlock', { passphrase: RIGHT })).text, /The vault is unlocked/);
  assert.is(await ctx.unlocking.opened, 'open');
});

test('each wrong passphrase doubles the wait up to ten minutes, also for the right one', async (ctx) => {
  const waits: number[] = [];
  for (let n = 0; n < 11; n += 1) {
    assert.is((await ask(ctx, '/unlock', { passphrase: 'no' })).status, 403);
    const soon = await ask(ctx, '/unlock', { passphrase: RIGHT, Accept: 'application/json' });
    assert.is(soon.status, 429);
    waits.push(Number(soon.headers['retry-after']));
    ctx.now += waits.at(-1)! * 1000;
  }
  assert.equal(waits, [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
  assert.is(ctx.tried.length, 11, 'what comes too soon is not tried');
});

test('a passphrase from another machine, a proxy, another host name or another site is not tried', async (ctx) => {
  for (const headers of [
    { Host: 'vault.example.in' },
    { Host: '127.0.0.1.evil.example' },
    { 'X-Forwarded-For': '203.0.113.9' },
    { Via: '1.1 proxy' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ] as Record<string, string>[])
    assert.is(
      (await ask(ctx, '/unlock', { passphrase: RIGHT, ...headers })).status,
      421,
      JSON.stringify(headers),
    );
  assert.is((await ask(ctx, '/unlock', { passphrase: '' })).status, 422);
  assert.is((await ask(ctx, '/api/documents')).status, 404);
  await ask(ctx, '/unlock', { passphrase: 'x'.repeat(20_000) }).catch(() => {});
  assert.equal(ctx.tried, []);
});

test('a server with a sealed key responds that it is locked until its passphrase is entered', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-locked-'));
  await copyFile(await migratedFile(), join(dataDir, DATABASE_FILE));
  await (await openDataDir(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }))).close();
  const secret = parseSecret(await readFile(keyPath(dataDir)), 'master.key');
  await moveKey(dataDir, secret, passphraseForm(dataDir, RIGHT, CHEAP), async () => {});
  const [port, unlockPort] = [await freePort(), await freePort()];
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), UNLOCK_PORT: String(unlockPort) };
  const server = spawn(process.execPath, [join(import.meta.dirname, '../testing/bare-server.ts')], {
    env: { ...env, BASE_URL: `http://127.0.0.1:${port}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const health = () =>
    fetch(`http://127.0.0.1:${port}/healthz`)
      .then(async (answer) => ((await answer.json()) as { status: string }).status)
      .catch(() => 'silent');
  try {
    await until(async () => (await health()) === 'locked');
    for (const path of ['/', '/login', '/api/documents', '/share/x', '/_astro/x.js'])
      assert.is((await fetch(`http://127.0.0.1:${port}${path}`)).status, 503, path);
    const sent = await fetch(`http://127.0.0.1:${port}/r/x/files`, { method: 'POST', body: 'form=x' });
    assert.is(sent.headers.get('refresh'), null);
    assert.match(
      await sent.text(),
      /What was just sent has not arrived/,
      'as a client would otherwise believe',
    );
    const type = (passphrase: string) =>
      fetch(`http://127.0.0.1:${unlockPort}/unlock`, {
        method: 'POST',
        body: new URLSearchParams({ passphrase }),
      });
    await until(async () => (await type(RIGHT).catch(() => null))?.status === 200);
    await until(async () => (await health()) === 'ok');
    await fetch(`http://127.0.0.1:${unlockPort}/`).then(
      () => assert.unreachable('the page is gone'),
      () => {},
    );
  } finally {
    server.kill('SIGKILL');
    await once(server, 'close');
    await rm(dataDir, { recursive: true });
  }
});

test('with a certificate of the office’s own authority, only plain http responds that the vault is locked', async () => {
  const [port, httpPort] = [await freePort(), await freePort()];
  const config = readConfig({
    HTTPS: 'auto',
    BASE_URL: `https://127.0.0.1:${port}`,
    PORT: String(port),
    HTTP_PORT: String(httpPort),
    HOST: '127.0.0.1',
  });
  const { listening, isReusable } = await openLockedServer(config, pino({ level: 'silent' }));
  const { status } = await fetch(`http://127.0.0.1:${httpPort}/healthz`);
  assert.is(status, 503);
  await fetch(`https://127.0.0.1:${port}/`).then(
    () => assert.unreachable('nobody answers with a key that cannot be opened yet'),
    (error: Error) => assert.match(String(error.cause), /ECONNREFUSED/),
  );
  assert.not(isReusable);
  await listening.close(0);
  await once(createServer().listen(httpPort, '127.0.0.1').unref(), 'listening');
});

test.run();
