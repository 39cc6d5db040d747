import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { openPage } from '#server/testing/browser.ts';
import { pdf } from '#server/requests/testing/office.ts';
import { violations } from './axe.ts';
import { holdRequests } from './held-requests.ts';
import { officeSuite, waitForText, waitForValue } from './office.ts';

const test = officeSuite('drop links');

test('a drop link uploads files without leaving the page, says why a file was refused, and that photos have arrived as one PDF, or one of them by itself', async (office) => {
  const { browser, world, asha, url } = office;
  const client_id = await world.build.client(asha.actor, 'Meera Iyer');
  const drop = await world.services.drops.make(asha.actor, { client_id, kinds: 'papers', file_mb: 1 });
  const folder = await mkdtemp(join(tmpdir(), 'almirah-drop-'));
  const [accepted, refused, large] = ['april.pdf', 'setup.exe', 'books.pdf'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(accepted, pdf('April'));
  await writeFile(refused, Buffer.concat([Buffer.from('MZ'), Buffer.alloc(300, 1)]));
  await writeFile(large, Buffer.alloc(1024 * 1024 + 1));
  const phone = await openPage(browser, { width: 390, height: 844 });
  try {
    await phone.goto(url + new URL(drop.url).pathname);
    const input = (await phone.waitForSelector('[data-scripted]:not([hidden]) input[data-files]'))!;
    await waitForText(phone, 'Files go immediately, photos when you press “Send”.');
    const labels = () =>
      phone.$$eval('[data-scripted] label', (all) => all.map((label) => label.innerText.trim()));
    assert.equal(await labels(), ['Choose files', 'Take photos'], 'as on a computer');
    await (input as ElementHandle<HTMLInputElement>).uploadFile(accepted, refused, large);
    await phone.waitForSelector('[data-sending] [role=alert]');
    await waitForText(phone, 'setup.exe: Only PDFs and photos can be sent through this link.');
    await waitForText(phone, 'books.pdf: This file is too large: at most 1 MB.');
    assert.equal(await violations(phone), []);
    const receivedFiles = async () =>
      (await world.services.documents.files(asha.actor, {})).items.map(({ name }) => name);
    await waitForValue(receivedFiles, ['april.pdf']);
    const photos = ['#f00', '#00f'].map((background, n) => ({ background, path: join(folder, `${n}.png`) }));
    for (const { background, path } of photos)
      await sharp({ create: { width: 40, height: 30, channels: 3, background } }).toFile(path);
    await (input as ElementHandle<HTMLInputElement>).uploadFile(...photos.map(({ path }) => path));
    await phone.locator('[data-send]').click();
    await waitForText(phone, '2 photos have arrived as one PDF');
    const damaged = join(folder, 'damaged.png');
    await writeFile(damaged, 'no picture');
    const other = join(folder, 'third.png');
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#0f0' } }).toFile(other);
    await (input as ElementHandle<HTMLInputElement>).uploadFile(other, damaged);
    await phone.locator('[data-send]').click();
    await waitForText(phone, 'third.png has arrived');
  } finally {
    await phone.close();
    await rm(folder, { recursive: true });
  }
});

test('a drop link speaks the language in which the office writes to the client, as the client’s other pages do, until another is chosen', async ({
  browser,
  world,
  asha,
  url,
}) => {
  const client_id = await world.build.client(asha.actor, 'Meera Iyer', { language: 'hi' });
  const drop = await world.services.drops.make(asha.actor, { client_id });
  const phone = await openPage(browser, { width: 390, height: 844 });
  const spoken = () => phone.$eval('html', ({ lang }) => lang);
  await phone.goto(`${url}${new URL(drop.url).pathname}?said=arrived&n=2`);
  assert.is(await spoken(), 'hi');
  await Promise.all([phone.waitForNavigation(), phone.click('a[hreflang=en]')]);
  assert.is(await spoken(), 'en');
  assert.is(await phone.$('[role=status]'), null, 'what has arrived is told once');
  await phone.setJavaScriptEnabled(false);
  await phone.reload();
  const shown = await phone.$eval('main', ({ innerText }) => innerText);
  assert.not.match(shown, 'immediately', 'without script files too are sent by the button');
  await world.services.drops.revoke(asha.actor, drop.id);
  await phone.goto(`${url}${new URL(drop.url).pathname}?said=link_gone`);
  await waitForText(phone, 'This link does not work any more, so nothing was sent.');
  await phone.close();
});

test('"Try again" under a file that could not be sent shows its progress, also after the page has drawn the row anew', async (office) => {
  const { browser, world, asha, url } = office;
  const client_id = await world.build.client(asha.actor, 'Meera Iyer');
  const drop = await world.services.drops.make(asha.actor, { client_id, kinds: 'papers', file_mb: 1 });
  const folder = await mkdtemp(join(tmpdir(), 'almirah-again-'));
  await writeFile(join(folder, 'april.pdf'), pdf('April'));
  const phone = await openPage(browser, { width: 390, height: 844 });
  try {
    await phone.goto(url + new URL(drop.url).pathname);
    const input = (await phone.waitForSelector('[data-scripted]:not([hidden]) input[data-files]'))!;
    await phone.$eval('[data-row]', (card) => card.setAttribute('data-first', ''));
    const { held, release } = await holdRequests(phone, '/uploads');
    await (input as ElementHandle<HTMLInputElement>).uploadFile(join(folder, 'april.pdf'));
    await waitForValue(() => held.length, 1);
    await held.pop()!.respond({ status: 400, contentType: 'application/json', body: '{"code":"cut_off"}' });
    await phone.locator('[data-row]:not([data-first]) [data-sending] button ::-p-text(Try again)').click();
    await waitForValue(() => held.length, 1);
    assert.ok(await phone.$('[data-sending] progress:not([hidden])'));
    await release();
    await waitForText(phone, 'april.pdf has arrived');
  } finally {
    await phone.close();
    await rm(folder, { recursive: true });
  }
});

test.run();
