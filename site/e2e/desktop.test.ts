import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { HYDRATED, load, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { ASHA, officeSuite, waitForText } from './office.ts';

const test = officeSuite('the desktop uploader');

test('the uploader opens a page that connects it with one click and the password, unless that was entered just before, and Settings lists it and disconnects it', async (office) => {
  const { page, url, world } = office;
  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const callback = Promise.withResolvers<URL>();
  const program = createServer((request, response) => {
    const requested = new URL(request.url ?? '', 'http://127.0.0.1');
    if (requested.pathname === '/connected') callback.resolve(requested);
    response.end('connected');
  });
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = program.address() as AddressInfo;
    const query = new URLSearchParams({
      port: String(port),
      challenge,
      state: 'state-of-it',
      name: 'FRONT-DESK',
    });
    await signIn(page, url, ASHA, `/desktop/connect?${query}`);
    await waitForText(page, 'Connect Almirah Uploader on FRONT-DESK?');
    assert.equal(await violations(page), []);
    await world.db('sessions').update({ proved_at: null });
    await page.locator('main button').click();
    await page.locator('[role=dialog] input[type=password]').fill(ASHA.password);
    await page.locator('[role=dialog] button[type=submit]').click();
    const { searchParams } = await callback.promise;
    assert.is(searchParams.get('state'), 'state-of-it');
    const code = searchParams.get('code')!;
    const self = { name: 'FRONT-DESK', platform: 'win-x64', version: '1.4.0' } as const;
    const from = { ip: '127.0.0.1', userAgent: 'test' };
    await world.services.desktop.claim({ ...self, code, verifier }, from);
  } finally {
    program.close();
    program.closeAllConnections();
  }
  await load(page, `${url}/settings`);
  await waitForText(page, 'Almirah Uploader on FRONT-DESK');
  await page.locator('[aria-label="Disconnect the program on FRONT-DESK"]').click();
  await page.locator('[role=alertdialog] button:last-of-type').click();
  await waitForText(page, 'The program is disconnected');
  assert.is((await world.db('paired_programs')).length, 0);
});

test('Download App is in the top bar once there is a download, and before that only for those who can build it', async (office) => {
  const { page, url, world, asha } = office;
  const ravi = await world.build.colleague(asha.actor, { role: 'staff', name: 'Ravi' });
  await signIn(page, url, { email: ravi.email, password: ravi.password }, '/dashboard');
  await page.waitForSelector('.topbar a[href="/subscription-plans"]');
  assert.not(await page.$('.topbar a[href="/download-app"]'), 'there is nothing to download');
  await load(page, `${url}/download-app`);
  await waitForText(page, 'npm run build:desktop');
  const build = { platform: 'win-x64', kind: 'setup', version: '1.4.0', file: 'Setup.exe' } as const;
  world.services.desktop.latest = async () => ({
    public_key: 'key',
    builds: [{ ...build, size: 1024, sha256: 'a'.repeat(64), signature: 'x' }],
  });
  await load(page, `${url}/dashboard`);
  await page.locator('.topbar a[href="/download-app"]').click();
  await waitForText(page, '1.4.0');
});

test('Download App in the top bar says how to build the program if there is no download, and creates a code that connects it', async (office) => {
  const { page, url, world } = office;
  await signIn(page, url, ASHA, '/dashboard');
  await page.locator('.topbar a[href="/download-app"]').click();
  await waitForText(page, 'npm run build:desktop');
  await page.waitForFunction(HYDRATED);
  await page.locator('::-p-text(Create a code)').click();
  const shown = await page.waitForSelector('[data-code]');
  const code = (await shown!.evaluate((node) => node.textContent))!;
  assert.match(code, /^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  assert.equal(await violations(page), []);
  const self = { name: 'FRONT-DESK', platform: 'linux-x64', version: '1.4.0' } as const;
  const { token } = await world.services.desktop.claim(
    { ...self, code },
    { ip: '127.0.0.1', userAgent: 'test' },
  );
  assert.match(token, /^almd_/);
  const manifest = await page.evaluate(async () => {
    const { href } = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!;
    return (await fetch(href, { credentials: 'omit' })).json();
  });
  assert.equal([manifest.name, manifest.display], ['Almirah', 'standalone']);
});

test.run();
