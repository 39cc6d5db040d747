import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withFolder } from '#desktop/testing/folder.ts';
import { addressOf, createLinks } from './link.ts';
import { createTokens } from './tokens.ts';

test('an address is accepted as people type or paste it', () => {
  assert.is(addressOf(' vault.firm.in '), 'https://vault.firm.in');
  assert.is(addressOf('https://vault.firm.in/login?next=%2Fdrive'), 'https://vault.firm.in');
  assert.is(addressOf('localhost:3000'), 'http://localhost:3000');
  assert.is(addressOf('http://192.168.1.5:3000/'), 'http://192.168.1.5:3000');
  for (const wrong of ['', 'file:///etc/passwd', 'https://', 'javascript:alert(1)'])
    assert.throws(() => addressOf(wrong), /as it stands in the browser/);
});

test('a pairing link can be redeemed once, only with its own state, and its URL does not contain the verifier', () => {
  const links = createLinks();
  const url = new URL(links.begin('https://vault.firm.in', 4711, 'OFFICE-PC'));
  assert.is(url.searchParams.get('port'), '4711');
  const { base, verifier } = links.redeem(url.searchParams.get('state')!)!;
  assert.is(base, 'https://vault.firm.in');
  assert.is(createHash('sha256').update(verifier).digest('base64url'), url.searchParams.get('challenge'));
  assert.not(url.href.includes(verifier));
  assert.is(links.redeem(url.searchParams.get('state')!), undefined);
  assert.is(links.redeem('guessed'), undefined);
});

test('without a working keychain a token is stored in a file that only this user can read', () =>
  withFolder(async (folder) => {
    const broken = {
      put: () => Promise.reject(new Error('locked')),
      get: async () => null,
      remove: async () => {},
    };
    for (const options of [{}, { keychain: broken }]) {
      const tokens = createTokens(join(folder, 'keys'), options);
      await tokens.put(1, 'almd_secret');
      const { mode } = await stat(join(folder, 'keys/vault-1.token'));
      assert.is(mode & 0o777, 0o600);
      assert.is((await stat(join(folder, 'keys'))).mode & 0o777, 0o700);
      assert.is(await createTokens(join(folder, 'keys')).load(1), 'almd_secret');
      await tokens.remove(1);
      assert.is(await createTokens(join(folder, 'keys')).load(1), null);
    }
  }));

test('with a keychain the token is not written to disk, and with encryption only in its encrypted form', () =>
  withFolder(async (folder) => {
    const kept = new Map<string, string>();
    const keychain = {
      put: async (name: string, secret: string) => void kept.set(name, secret),
      get: async (name: string) => kept.get(name) ?? null,
      remove: async (name: string) => void kept.delete(name),
    };
    await createTokens(folder, { keychain }).put(1, 'almd_secret');
    await stat(join(folder, 'vault-1.token')).then(
      () => assert.unreachable(),
      () => {},
    );
    assert.is(await createTokens(folder, { keychain }).load(1), 'almd_secret');

    const turned = (text: string) => [...text].toReversed().join('');
    const seal = {
      seal: (text: string) => Buffer.from(turned(text)),
      open: (bytes: Buffer) => turned(String(bytes)),
    };
    await createTokens(folder, { seal }).put(2, 'almd_secret');
    assert.is(await readFile(join(folder, 'vault-2.token'), 'utf8'), turned('almd_secret'));
    assert.is(await createTokens(folder, { seal }).load(2), 'almd_secret');
  }));

test.run();
