import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer';
import sharp from 'sharp';
import { load, openPage } from '#server/testing/browser.ts';
import { heic } from '#server/previews/testing/heic.ts';
import { pdf } from '#server/requests/testing/office.ts';
import { askClient } from './asked.ts';
import type { Office } from './office.ts';

/** A photograph in one colour, as JPEG. */
export const plainPhoto = (width = 40) =>
  sharp({ create: { width, height: 30, channels: 3, background: '#f00' } })
    .jpeg()
    .toBuffer();

/** The page of a new request, on a phone, with files to send. */
export async function onPhone(
  office: Office,
  names: string[],
  act: (on: {
    phone: Page;
    id: number;
    rows: number[];
    choose: (selector: string, ...files: string[]) => Promise<void>;
  }) => Promise<void>,
  { script = true } = {},
): Promise<void> {
  const { browser, world, asha, url } = office;
  const { office: requests } = world.services.requests;
  const { id } = await askClient(office, names);
  const link = await requests.link(asha.actor, id);
  const rows = (await requests.view(asha.actor, id)).rows.map((row) => row.id);
  const folder = await mkdtemp(join(tmpdir(), 'almirah-sending-'));
  const phone = await openPage(browser, { width: 390, height: 844 });
  const choose = async (selector: string, ...files: string[]) => {
    // Without script a wait inside the page never ends.
    const input = await (script ? phone.waitForSelector(selector) : phone.$(selector));
    await (input as ElementHandle<HTMLInputElement>).uploadFile(...files.map((file) => join(folder, file)));
  };
  try {
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await writeFile(join(folder, name), pdf(name));
    await writeFile(join(folder, 'locked.pdf'), pdf('trailer << /Encrypt 5 0 R >>'));
    for (const name of ['setup.pdf', 'setup.jpg'])
      await writeFile(join(folder, name), Buffer.concat([Buffer.from('MZ'), Buffer.alloc(300, 1)]));
    for (const [name, background] of [
      ['front.jpg', '#f00'],
      ['back.jpg', '#00f'],
    ] as const)
      await sharp({ create: { width: 40, height: 30, channels: 3, background } }).toFile(join(folder, name));
    await writeFile(join(folder, 'whole.heic'), heic());
    for (const name of ['broken.heic', 'torn.heic'])
      await writeFile(join(folder, name), Buffer.concat([heic().subarray(0, 40), Buffer.from(name)]));
    for (const height of [1, 2, 3, 4, 5])
      await sharp({ create: { width: 40, height, channels: 3, background: '#0f0' } }).toFile(
        join(folder, `${height}.png`),
      );
    await phone.setJavaScriptEnabled(script);
    await load(phone, url + new URL(link.url).pathname);
    await act({ phone, id, rows, choose });
  } finally {
    await phone.browserContext().close();
    await rm(folder, { recursive: true });
  }
}

/** How many records a phone keeps of photos that have not arrived: one for each, and one for their order. */
export const keptRecords = (phone: Page): Promise<number> =>
  phone.evaluate(async () => {
    const request = indexedDB.open('almirah-unsent-photos');
    await new Promise((done) => request.addEventListener('success', done));
    const count = request.result.transaction('photos').objectStore('photos').count();
    await new Promise((done) => count.addEventListener('success', done));
    return count.result;
  });
