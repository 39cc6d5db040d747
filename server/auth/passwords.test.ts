import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPasswords } from './passwords.ts';

// With the cost parameters of a server, which the first test checks.
const { hash: hashPassword, verify: verifyPassword } = createPasswords();

test('a password matches its argon2id hash, and other passwords do not', async () => {
  const hash = await hashPassword('correct horse');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.is(await verifyPassword('correct horse', hash), true);
  assert.is(await verifyPassword('correct horsE', hash), false);
  assert.is(await verifyPassword('', hash), false);
});

test('the same password gives a different hash each time, so that two users with the same password cannot be recognised', async () => {
  assert.is.not(await hashPassword('correct horse'), await hashPassword('correct horse'));
});

test('passwords are not truncated: two that differ only after 72 bytes or after a NUL are different', async () => {
  const prefix = 'x'.repeat(72);
  const hash = await hashPassword(`${prefix}1`);
  assert.is(await verifyPassword(`${prefix}1`, hash), true);
  assert.is(await verifyPassword(`${prefix}2`, hash), false);
  assert.is(await verifyPassword('a\0b', await hashPassword('a\0c')), false, 'nor at a NUL');
});

test('Unicode-equivalent passwords are the same password, since keyboards produce different code points', async () => {
  const hash = await hashPassword('पासवर्ड क़ é');
  assert.is(await verifyPassword('पासवर्ड क़ é'.normalize('NFD'), hash), true);
  assert.is(await verifyPassword('ﬁle', await hashPassword('file')), true);
});

test('no password matches a missing or malformed hash', async () => {
  for (const stored of [undefined, '', 'plain', '$argon2id$v=19$m=1,t=1,p=1$$', '$2b$10$abc']) {
    assert.is(await verifyPassword('plain', stored), false, String(stored));
  }
});

test('a published argon2id hash is verified, which shows that our hashes are standard argon2id', async () => {
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.is(await verifyPassword('password', stored), true);
});

test('60 simultaneous password checks do not use 60 times the memory', async () => {
  const hash = await hashPassword('correct horse');
  const before = process.memoryUsage.rss();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  const all = await Promise.all(Array.from({ length: 60 }, () => verifyPassword('correct horse', hash)));
  clearInterval(watch);
  assert.ok(all.every(Boolean));
  // One block for each that runs, and what the C library keeps for each thread of the pool; not 60 blocks, 1.2 GB.
  assert.ok(most - before < 200 * 1024 * 1024, `${Math.round((most - before) / 1e6)} MB`);
});

test('with too many sign-ins waiting, further ones are refused with 503 and Retry-After, and later ones succeed', async () => {
  const { hash } = createPasswords({ memory: 8, passes: 1, parallelism: 1 });
  const all = await Promise.allSettled(Array.from({ length: 510 }, () => hash('correct horse')));
  const refused = all.filter((one) => one.status === 'rejected');
  assert.ok(refused.length >= 8 && refused.length <= 9, String(refused.length));
  assert.is(refused[0]?.reason.status, 503);
  assert.is(refused[0]?.reason.retryAfter, 5);
  assert.match(await hash('correct horse'), /^\$argon2id\$/);
});

test.run();
