import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { connect as connectTls } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import { TLS_PURPOSE } from '../tls/key-store.ts';
import { openTls } from '../tls/service.ts';
import type { Tls } from '../tls/service.ts';
import { until } from '../testing/until.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import type { Listener } from './listen.ts';
import { listen } from './listen.ts';

const BASE = 'https://vault.rao.lan';

interface Ctx {
  folder: string;
  /** PEM of the office's authority. */
  ca: string;
  world: World;
  tls: Tls;
  config: Config;
  listening: Listener;
  session: ClientHttp2Session;
  token: string;
  logged: Logged[];
}
interface Logged {
  level: number;
  status?: number;
}
interface Json {
  data: { items?: { id: number }[] } & { id: number }[];
  download_url: string;
}
interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  json: Json;
}

// One server for all tests, since their requests do not affect each other.
const test = suite<Ctx>('built-in HTTPS');
test.before(async (ctx) => {
  ctx.folder = await mkdtemp(join(tmpdir(), 'almirah-https-'));
  ctx.world = await freshWorld({ abuseLimits: false });
  const env = {
    HTTPS: 'local',
    BASE_URL: BASE,
    PORT: '0',
    HTTP_PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: ctx.folder,
  };
  ctx.config = readConfig(env);
  ctx.logged = [];
  const log = pino({}, { write: (line: string) => void ctx.logged.push(JSON.parse(line) as Logged) });
  ctx.tls = await openTls(
    ctx.config.https!,
    ctx.config,
    log,
    createColumnSealer(randomBytes(32), TLS_PURPOSE),
  );
  const { services, db, secret } = ctx.world;
  // Like Astro, which creates a Request from the incoming one.
  const render = async (req: IncomingMessage, res: ServerResponse) => {
    const request = new Request(BASE + req.url, {
      headers: Object.entries(req.headers) as [string, string][],
    });
    res.writeHead(200, { 'content-type': 'text/html' });
    res.write(`<p>${request.headers.get('host')}${'page '.repeat(1000)}`);
    res.end();
  };
  const app = buildApp({ services, vault: { db, secret }, config: ctx.config, log, site: { render } });
  ctx.listening = await listen(app.callback(), ctx.config, ctx.tls, log);
  ctx.ca = await readFile(join(ctx.folder, 'tls/authority.crt'), 'utf8');
  ctx.session = connect(`https://127.0.0.1:${ctx.listening.port}`, { ca: ctx.ca });
  ctx.token = (await ctx.world.build.account()).token;
});
test.after(async ({ listening, session, world, folder }) => {
  session.destroy();
  await listening.close(0);
  await world.close();
  await rm(folder, { recursive: true });
});

/** One request by HTTP/2. */
async function ask(
  { session, token }: Ctx,
  method: string,
  path: string,
  more: { headers?: object; body?: Buffer; plain?: true } = {},
) {
  const stream = session.request({
    ':method': method,
    ':path': path,
    ':authority': 'vault.rao.lan',
    ...(!more.plain && { authorization: `Bearer ${token}` }),
    ...more.headers,
  });
  stream.end(more.body);
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  return {
    status: headers[':status'],
    headers,
    body,
    get json() {
      return JSON.parse(String(body)) as Json;
    },
  } satisfies Answer;
}

const big = Buffer.alloc(9 * 1024 * 1024, 'a page of a ledger ');

test('over HTTP/2 a large upload can be resumed, and the file is downloaded whole and in ranges', async (ctx) => {
  assert.is(ctx.session.alpnProtocol, 'h2');
  const tus = { 'tus-resumable': '1.0.0' };
  const meta = Object.entries({ filename: 'ledger.pdf', filetype: 'application/pdf' })
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
  const begun = await ask(ctx, 'POST', '/api/documents/resumable', {
    headers: { ...tus, 'upload-length': String(big.length), 'upload-metadata': meta },
  });
  assert.is(begun.status, 201, String(begun.body));
  const path = new URL(String(begun.headers.location), BASE).pathname;
  const part = (offset: number, bytes: Buffer) =>
    ask(ctx, 'PATCH', path, {
      headers: { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      body: bytes,
    });
  const half = 5 * 1024 * 1024;
  assert.is((await part(0, big.subarray(0, half))).status, 204);
  assert.is((await ask(ctx, 'HEAD', path, { headers: tus })).headers['upload-offset'], String(half));
  const done = await part(half, big.subarray(half));
  assert.is(done.status, 200, String(done.body));
  const { json } = await ask(ctx, 'GET', '/api/documents');
  const file = (json.data.items ?? json.data)[0]!;
  const { json: link } = await ask(ctx, 'POST', `/api/documents/${file.id}/download-token`, {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
  });
  const url = new URL(link.download_url, BASE);
  const whole = await ask(ctx, 'GET', url.pathname + url.search);
  assert.ok(whole.body.equals(big));
  const middle = await ask(ctx, 'GET', url.pathname + url.search, {
    headers: { range: 'bytes=5000000-5000099' },
  });
  assert.is(middle.status, 206);
  assert.ok(middle.body.equals(big.subarray(5_000_000, 5_000_100)));

  // A client that disconnects midway blocks nothing: the next request gets a response.
  const gone = ctx.session.request({
    ':path': url.pathname + url.search,
    ':authority': 'vault.rao.lan',
    authorization: `Bearer ${ctx.token}`,
  });
  await once(gone, 'response');
  gone.destroy();
  await once(gone, 'close');
  assert.is((await ask(ctx, 'GET', '/api/auth/user')).status, 200);
});

test('an upload that is refused early gets its answer over HTTP/2, and is no fault of the server in the log', async (ctx) => {
  const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0' };
  const unknown = '/api/documents/resumable/00000000-0000-4000-8000-000000000000';
  const refused = async (method: string, path: string, status: number, headers: object) => {
    const stream = ctx.session.request({
      ':method': method,
      ':path': path,
      ':authority': 'vault.rao.lan',
      authorization: `Bearer ${ctx.token}`,
      ...headers,
    });
    stream.end(big).resume();
    const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
    assert.is(answer[':status'], status);
    // The bytes under way are read, or the client would wait to send them.
    await once(stream, 'close');
  };
  const body = { ...tus, 'content-type': 'application/offset+octet-stream' };
  await refused('PATCH', unknown, 404, body);
  await refused('PATCH', unknown, 404, { ...body, 'content-length': String(big.length) });
  // The client says how much comes, and stops when it reads the answer.
  const form = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '10995116277760' };
  await refused('POST', '/api/documents/upload', 413, form);
  await until(() => ctx.logged.some(({ status }) => status === 413));
  assert.equal(
    ctx.logged.filter(({ level }) => level >= 50),
    [],
  );
});

test('pages are served over HTTP/2 and compressed', async (ctx) => {
  const { status, headers, body } = await ask(ctx, 'GET', '/help', {
    headers: { 'accept-encoding': 'gzip' },
  });
  assert.is(status, 200);
  assert.is(headers['content-encoding'], 'gzip');
  assert.match(String(gunzipSync(body)), /^<p>vault\.rao\.lanpage /);
});

test('events arrive over HTTP/2 as they happen', async (ctx) => {
  const stream = ctx.session.request({
    ':path': '/api/events',
    ':authority': 'vault.rao.lan',
    authorization: `Bearer ${ctx.token}`,
  });
  stream.setEncoding('utf8');
  let said = '';
  stream.on('data', (text: string) => (said += text));
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
  assert.is(headers[':status'], 200);
  await ask(ctx, 'POST', '/api/documents/folder', {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ name: 'GST' })),
  });
  await until(() => /data:/.test(said));
  stream.destroy();
});

test('a foreign host name is refused over HTTP/2 too', async (ctx) => {
  const stream = ctx.session.request({ ':path': '/api/auth/user', ':authority': 'evil.example.com' });
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
  assert.is(headers[':status'], 421);
  stream.destroy();
});

test('cookies are Secure, same-origin changes are allowed, and no HSTS header is sent', async (ctx) => {
  const visit = await ask(ctx, 'GET', '/sanctum/csrf-cookie', { plain: true });
  const [cookie] = visit.headers['set-cookie'] ?? [];
  assert.match(cookie ?? '', /^XSRF-TOKEN=.*; secure/);
  assert.is(
    visit.headers['strict-transport-security'],
    undefined,
    'who has not trusted the office yet must get in',
  );
  const pair = cookie!.split(';')[0]!;
  const from = (origin: string) =>
    ask(ctx, 'POST', '/api/auth/forgot-password', {
      plain: true,
      headers: {
        cookie: pair,
        'x-xsrf-token': decodeURIComponent(pair.split('=')[1]!),
        origin,
        'content-type': 'application/json',
      },
      body: Buffer.from(JSON.stringify({ email: 'nobody@rao.in' })),
    });
  assert.is((await from(BASE)).status, 200);
  assert.is((await from('https://evil.example.com')).status, 419);
});

test('HTTP/1.1 works as well, for older programs', async (ctx) => {
  const { port } = ctx.listening;
  const status = await new Promise((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, path: '/healthz', ca: ctx.ca, headers: { host: 'vault.rao.lan' } },
      (res) => {
        res.resume();
        resolve(res.statusCode);
      },
    )
      .on('error', reject)
      .end();
  });
  assert.is(status, 200);
});

test('plain http redirects to https under the name of the request, and explains how to trust the office', async (ctx) => {
  const { port, httpPort } = ctx.listening;
  const plain = `http://127.0.0.1:${httpPort}`;
  const sent = await fetch(`${plain}/clients?q=rao`, { redirect: 'manual' });
  assert.is(sent.status, 307, 'a browser does not keep it, since the certificate may still be refused');
  assert.is(sent.headers.get('location'), `https://127.0.0.1:${port}/clients?q=rao`);
  const page = await fetch(`${plain}/trust`, { headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' } });
  const html = await page.text();
  assert.ok(html.includes(ctx.tls.fingerprint!));
  assert.match(html, /<details open><summary>Windows/);
  const file = await fetch(`${plain}/trust/almirah-office.crt`);
  assert.is(file.headers.get('content-type'), 'application/x-x509-ca-cert');
  assert.ok((await file.arrayBuffer()).byteLength > 300);
  for (const path of ['/api/documents', '/dav/Taxes'])
    assert.is((await fetch(plain + path, { redirect: 'manual' })).status, 403, 'programs are not sent on');
  const elsewhere = await fetch(`${plain}//evil.example.com/x`, { redirect: 'manual' });
  assert.match(elsewhere.headers.get('location') ?? '', /^https:\/\/127\.0\.0\.1:/);
});

test('outdated TLS and ciphers without forward secrecy are refused', async (ctx) => {
  const shakes = (options: ConnectionOptions) =>
    new Promise<string>((resolve) => {
      const { port } = ctx.listening;
      const socket = connectTls({ port, host: '127.0.0.1', ca: ctx.ca, ...options }, () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
        socket.destroy();
      }).on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
    });
  assert.match(await shakes({}), /^TLSv1\.3 /);
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  assert.match(await shakes(old), /PROTOCOL|ALERT/);
  for (const ciphers of ['AES128-GCM-SHA256', 'ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES128-CCM'])
    assert.match(
      await shakes({ maxVersion: 'TLSv1.2', ciphers }),
      /HANDSHAKE_FAILURE|NO_SHARED_CIPHER/,
      ciphers,
    );
  const good = 'ECDHE-ECDSA-AES256-GCM-SHA384';
  assert.is(await shakes({ maxVersion: 'TLSv1.2', ciphers: good }), `TLSv1.2 ${good}`);
});

test('a new certificate applies to new connections, and stopping does not wait for idle ones', async (ctx) => {
  const before = ctx.tls.current().cert;
  const { port } = ctx.listening;
  const shown = () =>
    new Promise<string>((resolve, reject) => {
      const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }, () => {
        resolve(
          String(
            (
              session.socket as unknown as { getPeerX509Certificate(): { toString(): string } }
            ).getPeerX509Certificate(),
          ),
        );
        session.destroy();
      }).on('error', reject);
    });
  assert.ok(before.startsWith(await shown()));
  const begun = performance.now();
  await ctx.listening.close(60_000);
  assert.ok(performance.now() - begun < 50_000, 'an open connection without a request holds up nothing');
});

test.run();
