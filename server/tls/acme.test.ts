import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { X509Certificate, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { registerHooks } from 'node:module';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createColumnSealer } from '../db/column-encryption.ts';
import { freePort } from '../testing/free-port.ts';
import { until } from '../testing/until.ts';
import { acmeCertificates, renewalOf } from './acme.ts';
import { openAuthority } from './authority.ts';
import type { Certificate } from './certificate.ts';
import { namesOf, leafOf } from './certificate.ts';
import { createKeyStore, TLS_PURPOSE } from './key-store.ts';
import { plainHttp } from './redirect.ts';

// These tests use Pebble, the ACME server that Let's Encrypt made for tests; Debian's package is "pebble".
function has(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const test = suite('ACME');
const seal = createColumnSealer(randomBytes(32), TLS_PURPOSE);
const NAME = 'vault.rao-associates.in';

/** A DNS server that answers every query for an address with 127.0.0.1. */
async function nameServer() {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    // The question follows the header of 12 bytes; EDNS data after it is left out.
    let end = 12;
    while (query[end] !== 0) end += query[end]! + 1;
    const type = query.readUInt16BE(end + 1);
    const question = query.subarray(12, end + 5);
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, type === 1 ? 1 : 0, 0, 0, 0, 0]);
    const answer = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    socket.send(Buffer.concat(type === 1 ? [head, question, answer] : [head, question]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

// Before the others, which load it.
test('a library that cannot be loaded, as when too many files are open, is tried again later and does not end the server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-acme-'));
  const keyStore = createKeyStore(folder, seal);
  const { issue } = await openAuthority(keyStore, { appName: 'Test', name: 'localhost', now: new Date() });
  const fallback = await issue(['localhost'], new Date());
  const log = { info: () => {}, error: () => {} };
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'acme-client') throw new Error('EMFILE: too many open files');
      return next(specifier, context);
    },
  });
  const directory = 'https://localhost/dir';
  const source = await acmeCertificates({ keyStore, name: NAME, directory, email: '', fallback, log });
  try {
    source.start(() => assert.unreachable());
    await until(() => source.view().problem?.startsWith('EMFILE') === true);
  } finally {
    source.stop();
    hooks.deregister();
    await rm(folder, { recursive: true });
  }
});

if (!has('pebble')) {
  test('(skipped: no ACME server is installed; Debian has one, "pebble")', () => {});
} else {
  test('a certificate is issued by a real ACME server, stored with owner-only permissions, and renewed in time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'almirah-acme-'));
    const [httpPort, acmePort, managementPort] = [await freePort(), await freePort(), await freePort()];
    const office = await openAuthority(createKeyStore(join(folder, 'office'), seal), {
      appName: 'Test',
      name: 'localhost',
      now: new Date(),
    });
    const own = await office.issue(['localhost', '127.0.0.1'], new Date());
    const files = { key: join(folder, 'p.key'), cert: join(folder, 'p.crt'), config: join(folder, 'p.json') };
    await writeFile(files.key, own.key);
    await writeFile(files.cert, own.cert);
    await writeFile(
      files.config,
      JSON.stringify({
        pebble: {
          listenAddress: `127.0.0.1:${acmePort}`,
          managementListenAddress: `127.0.0.1:${managementPort}`,
          certificate: files.cert,
          privateKey: files.key,
          httpPort,
          tlsPort: 1,
          ocspResponderURL: '',
        },
      }),
    );
    const names = await nameServer();
    const pebble: ChildProcess = spawn(
      'pebble',
      ['-config', files.config, '-dnsserver', `127.0.0.1:${names.address().port}`],
      {
        env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_AUTHZREUSE: '0' },
        stdio: 'pipe',
      },
    );
    const said: string[] = [];
    pebble.stdout?.on('data', (line) => said.push(String(line)));
    pebble.stderr?.on('data', (line) => said.push(String(line)));
    await until(() => /Listening on/.test(said.join('')));
    const acme = await import('acme-client');
    acme.axios.defaults.httpsAgent = new Agent({ ca: office.cert });

    let now = new Date();
    const log = { info: () => {}, error: (text: unknown) => void said.push(String(text)) };
    const open = ({ directory = `https://localhost:${acmePort}/dir`, email = 'asha@rao.in' } = {}) =>
      acmeCertificates({
        keyStore: createKeyStore(join(folder, 'tls'), seal),
        name: NAME,
        directory,
        email,
        fallback: own,
        log,
        clock: () => now,
      });
    let source = await open();
    const plain = createServer(
      plainHttp({
        baseUrl: `https://${NAME}`,
        port: () => 443,
        challengeResponse: (token) => source.challengeResponse(token),
        permanent: true,
      }),
    );
    plain.listen(httpPort, '127.0.0.1');
    const changes: Certificate[] = [];
    try {
      assert.is(source.current(), own, 'until it comes, the server answers with what it has');
      source.start((next) => changes.push(next));
      await until(() => changes.length > 0 || source.view().problem?.includes('come') === false);
      assert.equal(source.view().problem, null, said.join('\n'));
      assert.equal(namesOf(leafOf(changes[0]!)), [NAME]);
      assert.ok(new X509Certificate(changes[0]!.cert).issuer.includes('Pebble'));
      for (const file of ['acme-account.key', 'acme.key'])
        assert.is((await stat(join(folder, 'tls', file))).mode & 0o777, 0o600, file);
      const account = await readFile(join(folder, 'tls/acme-account.key'), 'utf8');
      source.stop();

      // After a restart the stored certificate is used, without a request to the authority.
      source = await open({ directory: `https://localhost:${acmePort}/nobody` });
      assert.is(source.current().cert, changes[0]!.cert);
      // When renewal fails, the current certificate stays, and the problem is reported.
      now = renewalOf(changes[0]!.cert);
      source.start(() => assert.unreachable());
      await until(() => source.view().problem !== null);
      assert.is(source.current().cert, changes[0]!.cert);
      source.stop();

      // Without CONTACT_EMAIL there is nothing to change about the account, and Pebble refuses a change of nothing.
      source = await open({ email: '' });
      source.start((next) => changes.push(next));
      await until(() => changes.length > 1 || source.view().problem !== null);
      assert.is(source.view().problem, null);
      assert.is.not(changes[1]!.cert, changes[0]!.cert);
      assert.is(await readFile(join(folder, 'tls/acme-account.key'), 'utf8'), account, 'by the same account');
      source.stop();

      // Another program answers where the authority asks, and then none.
      for (const answers of [true, false]) {
        plain.removeAllListeners('request').on('request', (_req, res) => void res.end('It works!'));
        if (!answers) plain.close().closeAllConnections();
        now = renewalOf(source.current().cert);
        source = await open();
        source.start(() => assert.unreachable());
        await until(() => source.view().problem !== null);
        assert.match(
          source.view().problem!,
          /reach this server at http:\/\/vault\.rao-associates\.in\/ on port 80/,
        );
        source.stop();
      }
    } finally {
      source.stop();
      pebble.kill();
      names.close();
      plain.close();
      plain.closeAllConnections();
      await rm(folder, { recursive: true });
    }
  });
}

/** An authority that has an account for everybody, and refuses every order. */
async function refusingAuthority({ cert, key }: Certificate) {
  let base = '';
  const refusal = { status: 429, type: 'rateLimited', detail: 'too many certificates already issued' };
  const server = createTlsServer({ cert, key }, (req, res) => {
    const send = (status: number, body: object, headers = {}) =>
      res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
    req.resume();
    res.setHeader('Replay-Nonce', randomBytes(8).toString('hex'));
    if (req.url === '/dir')
      return send(200, {
        newNonce: `${base}/nonce`,
        newAccount: `${base}/account`,
        newOrder: `${base}/order`,
      });
    if (req.url === '/account') return send(201, { status: 'valid' }, { Location: `${base}/account/1` });
    if (req.url === '/order')
      return send(
        refusal.status,
        { type: `urn:ietf:params:acme:error:${refusal.type}`, detail: refusal.detail },
        { 'Retry-After': '93600' },
      );
    return res.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `https://localhost:${(server.address() as AddressInfo).port}`;
  return { directory: `${base}/dir`, server, refusal };
}

test('an authority that refuses, and one that cannot be reached, are named at once, with the reason and what to do about it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-acme-'));
  const keyStore = createKeyStore(folder, seal);
  const office = await openAuthority(keyStore, { appName: 'Test', name: 'localhost', now: new Date() });
  const own = await office.issue(['localhost'], new Date());
  const acme = await import('acme-client');
  acme.axios.defaults.httpsAgent = new Agent({ ca: office.cert });
  const { directory, server, refusal } = await refusingAuthority(own);
  const log = { info: () => {}, error: () => {} };
  async function problemAt(address: string): Promise<string> {
    const source = await acmeCertificates({
      keyStore,
      name: NAME,
      directory: address,
      email: '',
      fallback: own,
      log,
    });
    const first = source.view().problem;
    source.start(() => assert.unreachable());
    await until(() => source.view().problem !== first);
    source.stop();
    return source.view().problem!;
  }
  try {
    const limited = await problemAt(directory);
    assert.match(limited, /^too many certificates already issued\. .*only time lifts/);
    assert.not.match(limited, /port 80/);
    const remedies: [type: string, remedy: RegExp][] = [
      ['caa', /At the name server of vault.rao-associates.in, permit this authority/],
      ['accountDoesNotExist', /delete acme-account\.key/],
      ['unauthorized', /delete acme-account\.key/],
      ['invalidContact', /CONTACT_EMAIL/],
      ['rejectedIdentifier', /set BASE_URL to another/],
      ['externalAccountRequired', /set ACME_URL to another authority/],
      ['malformed', /^No\.$/],
    ];
    for (const [type, remedy] of remedies) {
      Object.assign(refusal, { status: 403, type, detail: 'No' });
      assert.match(await problemAt(directory), remedy);
    }
    assert.match(await problemAt(`${new URL(directory).origin}/order`), /ACME_URL has to be the directory/);
    const nobody = `localhost:${await freePort()}`;
    assert.match(
      await problemAt(`https://${nobody}/dir`),
      `${nobody} did not answer (ECONNREFUSED). This server has to reach it`,
    );
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  }
});

test('renewal is due 30 days before expiry, or with a third of a short lifetime left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-acme-'));
  const { cert } = await openAuthority(createKeyStore(folder, seal), {
    appName: 'Test',
    name: 'a.lan',
    now: new Date('2026-11-22T00:00:00Z'),
  });
  await rm(folder, { recursive: true });
  const end = new Date(leafOf({ cert }).validTo);
  assert.is((end.getTime() - renewalOf(cert).getTime()) / 86_400_000, 30);
});

test.run();
