import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import { openAuthority } from '../tls/authority.ts';
import { createKeyStore, TLS_PURPOSE } from '../tls/key-store.ts';
import { certificate } from './doctor-certificate.ts';

const DAY = 24 * 60 * 60_000;
const NAME = 'vault.rao-associates.in';

test('a certificate that the server gets itself is looked at: whether it came, for which name, and whether it was renewed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-doctor-certificate-'));
  const keyStore = createKeyStore(join(folder, 'tls'), createColumnSealer(randomBytes(32), TLS_PURPOSE));
  const told = (HTTPS = 'auto') =>
    certificate(readConfig({ DATA_DIR: folder, HTTPS, BASE_URL: `https://${NAME}` }));
  const is = async (well: boolean, text: RegExp, HTTPS?: string) => {
    const found = await told(HTTPS);
    assert.match(found.text, text);
    assert.is(found.well, well, found.text);
  };
  try {
    await is(true, /is asked for it at the first start/);
    const settings = { appName: 'Test', name: 'localhost', now: new Date() };
    const { issue } = await openAuthority(keyStore, settings);
    const store = async (file: string, name: string, daysAgo = 0) =>
      keyStore.save(file, (await issue([name], new Date(Date.now() - daysAgo * DAY))).cert);
    await store('local.crt', NAME);
    await is(false, /none has come from the public authority, so browsers warn.*journalctl/);
    await is(true, /from the authority of the office, good until/, 'local');
    await store('acme.crt', 'other.rao-associates.in');
    await is(false, /is for other\.rao-associates\.in, not for vault\.rao-associates\.in/);
    await store('acme.crt', NAME);
    await is(true, /from the public authority, good until .*renews it/);
    await store('acme.crt', NAME, 370);
    await is(false, /and the public authority has not renewed it/);
    await store('acme.crt', NAME, 500);
    await is(false, /it ran out on .* and was not renewed/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
