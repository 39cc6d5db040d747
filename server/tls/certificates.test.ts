import { execFileSync } from 'node:child_process';
import { X509Certificate, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createColumnSealer } from '../db/column-encryption.ts';
import { until } from '../testing/until.ts';
import { openAuthority, machineNames } from './authority.ts';
import type { Certificate } from './certificate.ts';
import { checkPair, endOf, isValidFor, leafOf } from './certificate.ts';
import { certificateFiles } from './files.ts';
import { createKeyStore, resealKeys, TLS_PURPOSE } from './key-store.ts';
import { localCertificates } from './local.ts';

const DAY = 24 * 60 * 60_000;
const NOW = new Date();
const seal = createColumnSealer(randomBytes(32), TLS_PURPOSE);

interface Ctx {
  folder: string;
  said: string[];
  log: { info(text: string): void; warn(text: string): void; error(text: string): void };
}
const test = suite<Ctx>('certificates');
test.before.each(async (ctx) => {
  ctx.folder = await mkdtemp(join(tmpdir(), 'almirah-tls-'));
  ctx.said = [];
  const say = (text: string) => void ctx.said.push(String(text));
  ctx.log = { info: say, warn: say, error: say };
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));

const office = (ctx: Ctx, clock = () => NOW, sealer = seal) =>
  localCertificates(
    createKeyStore(ctx.folder, sealer),
    { appName: 'Almirah', name: 'vault.office.lan' },
    ctx.log as never,
    clock,
  );

/** Whether OpenSSL accepts the certificate, as the libraries of browsers do. */
function verified(authority: string, leaf: string, ...more: string[]): boolean {
  try {
    execFileSync('openssl', ['verify', '-CAfile', authority, ...more, leaf], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

test('the office’s authority is created once, with owner-only permissions, and its certificate covers every name of the machine', async (ctx) => {
  const first = await office(ctx);
  const again = await office(ctx);
  assert.is(again.authority.fingerprint, first.authority.fingerprint);
  assert.is(again.current().cert, first.current().cert, 'and its certificate stays');
  for (const file of ['authority.key', 'local.key'])
    assert.is((await stat(join(ctx.folder, file))).mode & 0o777, 0o600, file);
  const leaf = leafOf(first.current());
  for (const name of machineNames('vault.office.lan')) assert.ok(isValidFor(leaf, name), name);
  const days = (endOf(leaf).getTime() - new Date(leaf.validFrom).getTime()) / DAY;
  assert.ok(days <= 397, 'Apple refuses what is good for longer');
  const files = [join(ctx.folder, 'authority.crt'), join(ctx.folder, 'local.crt')] as const;
  assert.ok(verified(...files, '-verify_hostname', 'vault.office.lan', '-purpose', 'sslserver'));
  assert.ok(verified(...files, '-verify_ip', '127.0.0.1'));
});

test('a stolen folder reveals no private key; unsealed keys of an older version are sealed at the next start', async (ctx) => {
  const plain = async () => {
    const names = await readdir(ctx.folder);
    const texts = await Promise.all(names.map((name) => readFile(join(ctx.folder, name), 'latin1')));
    return names.filter((_, n) => texts[n]!.includes('PRIVATE KEY'));
  };
  const { authority, current } = await office(ctx);
  assert.equal(await plain(), []);
  await writeFile(join(ctx.folder, 'local.key'), current().key);
  const again = await office(ctx);
  assert.is(again.current().key, current().key);
  assert.equal(await plain(), []);

  // With another master key no file is opened or replaced: otherwise everybody would have to trust a new authority.
  const fresh = createColumnSealer(randomBytes(32), TLS_PURPOSE);
  await office(ctx, () => NOW, fresh).then(
    () => assert.unreachable(),
    (error: Error) =>
      assert.match(error.message, /authority\.key is sealed with another master key, or damaged/),
  );
  for (let time = 0; time < 2; time += 1) await resealKeys(ctx.folder, seal, fresh);
  const moved = await office(ctx, () => NOW, fresh);
  assert.is(moved.authority.fingerprint, authority.fingerprint);
  assert.is(moved.current().key, current().key);
});

test('certificates of the office’s authority for public names are invalid, so that trusting it is safe', async (ctx) => {
  const authority = await openAuthority(createKeyStore(ctx.folder, seal), {
    appName: 'Almirah',
    name: 'vault.office.lan',
    now: NOW,
  });
  const forged = join(ctx.folder, 'forged.crt');
  for (const name of ['bank.example.com', '8.8.8.8']) {
    await writeFile(forged, (await authority.issue([name], NOW)).cert);
    assert.not(verified(join(ctx.folder, 'authority.crt'), forged), name);
  }
  await writeFile(forged, (await authority.issue(['printer.local', '192.168.1.9'], NOW)).cert);
  assert.ok(verified(join(ctx.folder, 'authority.crt'), forged));
});

test('a name that the authority was not made for is left out of its certificate, which browsers would refuse whole', async (ctx) => {
  const { authority } = await office(ctx);
  assert.ok(authority.permits('192.168.7.9') && authority.permits('fd12::3') && authority.permits('pc.lan'));
  // An address of the Internet changes as the provider likes.
  for (const name of ['2401:4900:1c2b::5', '49.36.1.2', 'pc2', 'bank.example.com', 'evil-lan'])
    assert.not.ok(authority.permits(name), name);
  const renamed = await localCertificates(
    createKeyStore(ctx.folder, seal),
    { appName: 'Almirah', name: 'vault.rao.corp' },
    ctx.log as never,
    () => NOW,
  );
  assert.is(renamed.authority.fingerprint, authority.fingerprint);
  await writeFile(join(ctx.folder, 'local.crt'), renamed.current().cert);
  assert.ok(
    verified(join(ctx.folder, 'authority.crt'), join(ctx.folder, 'local.crt'), '-verify_ip', '127.0.0.1'),
  );
  const { problem } = renamed.view();
  assert.match(problem!, 'cannot vouch for vault.rao.corp');
  renamed.start(() => {});
  renamed.stop();
  assert.equal(ctx.said, [problem], 'said once it is served, and not where it only waits for a public one');
  assert.is((await office(ctx)).view().problem, null);
});

test('a certificate with a name for which the authority may not vouch is replaced at the start', async (ctx) => {
  const { authority } = await office(ctx);
  const keyStore = createKeyStore(ctx.folder, seal);
  const refused = await authority.issue([...machineNames('vault.office.lan'), '2401:4900:1c2b::5'], NOW);
  await keyStore.save('local.key', refused.key);
  await keyStore.save('local.crt', refused.cert);
  await office(ctx);
  assert.ok(verified(join(ctx.folder, 'authority.crt'), join(ctx.folder, 'local.crt')));
});

test('an authority that has ended, as one made while the clock was years behind, is named with what to do', async (ctx) => {
  const early = await office(ctx, () => new Date(NOW.getTime() - 11 * 365 * DAY));
  assert.is(early.view().problem, null);
  const now = await office(ctx);
  assert.match(now.view().problem!, /The authority of this office ended on .* delete authority\.crt/);
  assert.is((await office(ctx)).current().cert, now.current().cert, 'and nothing is issued again and again');
});

test('a certificate of the office’s authority is reissued a month before it ends', async (ctx) => {
  const { authority, current } = await office(ctx);
  const later = await office(ctx, () => new Date(NOW.getTime() + 370 * DAY));
  assert.is(later.authority.fingerprint, authority.fingerprint);
  assert.is.not(later.current().cert, current().cert);
  assert.ok(new X509Certificate(later.current().cert).checkIssued(new X509Certificate(authority.cert)));
});

test('changed certificate files are read again; while key and certificate do not match, the previous pair stays in use', async (ctx) => {
  const authority = await openAuthority(createKeyStore(ctx.folder, seal), {
    appName: 'Almirah',
    name: 'a.lan',
    now: NOW,
  });
  const [one, two] = [await authority.issue(['a.lan'], NOW), await authority.issue(['a.lan'], NOW)];
  const files = { cert: join(ctx.folder, 'c.pem'), key: join(ctx.folder, 'k.pem') };
  await writeFile(files.cert, one.cert);
  await writeFile(files.key, one.key);
  const source = await certificateFiles(files, 'a.lan', ctx.log as never, { checkIntervalMs: 5 });
  const changes: Certificate[] = [];
  source.start((next) => changes.push(next));
  try {
    await writeFile(files.cert, two.cert);
    // Before, half of the file may be read.
    await until(() => /The key is not that of the certificate/.test(source.view().problem ?? ''));
    assert.is(source.current().cert, one.cert);
    await writeFile(files.key, two.key);
    await until(() => changes.length > 0);
    assert.is(changes[0]!.cert, two.cert);
    assert.is(source.view().problem, null);
  } finally {
    source.stop();
  }
});

test('of a chain that begins with the authority it is said that the order is wrong, since another key would not help', async (ctx) => {
  const authority = await openAuthority(createKeyStore(ctx.folder, seal), {
    appName: 'Almirah',
    name: 'a.lan',
    now: NOW,
  });
  const { cert, key } = await authority.issue(['a.lan'], NOW);
  assert.ok(checkPair({ cert: `${cert}\n${authority.cert}`, key }));
  assert.throws(() => checkPair({ cert: `${authority.cert}\n${cert}`, key }), /in the wrong order/);
  const other = await authority.issue(['a.lan'], NOW);
  assert.throws(
    () => checkPair({ cert: `${authority.cert}\n${cert}`, key: other.key }),
    /not that of the certificate/,
  );
  const cutOff = `${authority.cert}\n${cert.slice(0, 200)}\n-----END CERTIFICATE-----\n`;
  assert.throws(
    () => checkPair({ cert: cutOff, key }),
    /not that of the certificate/,
    'not an error of OpenSSL',
  );
});

test('a chain that OpenSSL does not take is reported as long as it is there, and the pair before stays in use', async (ctx) => {
  const keyStore = createKeyStore(ctx.folder, seal);
  const authority = await openAuthority(keyStore, { appName: 'Almirah', name: 'a.lan', now: NOW });
  const pair = await authority.issue(['a.lan'], NOW);
  const files = { cert: join(ctx.folder, 'c.pem'), key: join(ctx.folder, 'k.pem') };
  await writeFile(files.cert, pair.cert);
  await writeFile(files.key, pair.key);
  const source = await certificateFiles(files, 'a.lan', ctx.log as never, { checkIntervalMs: 5 });
  const taken: Certificate[] = [];
  source.start((next) => void (createSecureContext(next), taken.push(next)));
  try {
    await writeFile(
      files.cert,
      `${pair.cert}-----BEGIN CERTIFICATE-----\nTm90IG9uZQ==\n-----END CERTIFICATE-----\n`,
    );
    await until(() => source.view().problem !== null);
    // Looked at again and again, it stays a problem.
    await setTimeout(50);
    assert.match(source.view().problem ?? '', 'TLS_CERT and TLS_KEY cannot be used');
    assert.is(source.current().cert, pair.cert);
    assert.equal(taken, []);
  } finally {
    source.stop();
  }
});

test('an unusable certificate prevents the start, and one for another name causes a warning', async (ctx) => {
  const authority = await openAuthority(createKeyStore(ctx.folder, seal), {
    appName: 'Almirah',
    name: 'a.lan',
    now: NOW,
  });
  const { cert, key } = await authority.issue(['a.lan'], NOW);
  const files = { cert: join(ctx.folder, 'c.pem'), key: join(ctx.folder, 'k.pem') };
  const opened = () => certificateFiles(files, 'b.lan', ctx.log as never);
  const refused = (pattern: RegExp) =>
    opened().then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, pattern),
    );
  await writeFile(files.key, key);
  await refused(/TLS_CERT and TLS_KEY cannot be used.*c\.pem, which is not there/);
  await mkdir(files.cert);
  await refused(/TLS_CERT names .*c\.pem, which is a folder\. Give the PEM file of your certificate/);
  await rm(files.cert, { recursive: true });
  await writeFile(files.cert, 'not a certificate');
  await refused(/should be PEM/);
  await writeFile(files.cert, cert);
  const source = await opened();
  assert.match(ctx.said.join(' '), /is for a\.lan, not for b\.lan/);
  assert.match(source.view().problem ?? '', /not for b\.lan.*browsers will refuse it/, 'also on the screen');
  const later = await authority.issue(['b.lan'], new Date(NOW.getTime() + 30 * DAY));
  await writeFile(files.cert, later.cert);
  await writeFile(files.key, later.key);
  assert.match((await opened()).view().problem ?? '', /is valid only from .*: browsers will refuse it until/);
  assert.is(await readFile(files.key, 'utf8'), later.key, 'files of the admin are never written');
});

test.run();
