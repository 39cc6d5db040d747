import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { until } from '#server/testing/until.ts';
import { enterDrive, goTo, rowNames, row, uploadFiles } from './drive.ts';
import { uploadProxySuite } from './upload-proxy.ts';
import { ASHA, waitForValue, pathOf, waitForText } from './office.ts';

const test = uploadProxySuite('lists that are up to date');

const SCREENS = ['/dashboard', '/documents', '/clients', '/recent', '/storage'] as const;

test('every screen opened from the sidebar shows the changes of a colleague, without hydration errors', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'First.pdf' });
  await world.build.client(asha.actor, 'Anand Mills');
  await enterDrive(office);
  for (const screen of SCREENS) await goTo(page, screen);
  await world.build.file(asha.actor, { name: 'Second.pdf', content: 'x'.repeat(5000) });
  await world.build.client(asha.actor, 'Bharat Tools');
  const expected = { '/clients': 'Bharat Tools' } as Record<string, string>;
  for (const screen of SCREENS) {
    await goTo(page, screen);
    await waitForText(page, expected[screen] ?? 'Second.pdf');
  }
  await waitForValue(() => pathOf(page), '/storage');
});

test('a change in this tab loads the list once, although the tab receives its own event', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  await enterDrive(office);
  let listings = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/documents' && request.method() === 'GET') listings += 1;
  });
  await page.keyboard.down('Alt');
  await page.keyboard.press('n');
  await page.keyboard.up('Alt');
  await page.locator('[role="dialog"] input').fill('Returns');
  await page.keyboard.press('Enter');
  await row(page, 'Returns');
  await page.waitForNetworkIdle({ idleTime: 900 });
  assert.is(listings, 1);
});

test('a list that loads more slowly than files are uploaded still appears while uploads run', async (office) => {
  const { page, world, proxy } = office;
  await enterDrive(office);
  // As slow as three uploads: if each upload restarted the list, it would appear only after the last.
  const { documents } = world.services;
  const { folder } = documents;
  const count = async () => Number((await world.db('items').count({ n: '*' }).first())!.n);
  documents.folder = async (...call) => {
    const before = await count();
    await until(async () => (await count()) >= Math.min(BILLS, before + 3));
    return folder(...call);
  };
  const KB = 1024;
  const BILLS = 12;
  proxy.hold();
  await uploadFiles(
    page,
    Array.from({ length: BILLS }, (_, n) => ({ name: `Bill ${n + 1}.pdf`, content: 'x'.repeat(90 * KB) })),
  );
  // Lets the uploads through one after the other.
  let holding = true;
  const letOneThrough = async () => {
    // Counted meanwhile, the list may have appeared.
    if ((await count()) < BILLS - 4 && holding) proxy.hold(92 * KB);
  };
  const releasing = setInterval(() => void letOneThrough(), 400);
  try {
    // The last uploads are held until the list has appeared.
    await page.waitForSelector('[data-id]');
  } finally {
    holding = false;
    clearInterval(releasing);
    proxy.release();
  }
  await row(page, 'Bill 12.pdf');
  await waitForValue(async () => (await rowNames(page)).length, BILLS);
});

test('a file uploaded while another screen was open is listed when the user comes back to its folder', async (office) => {
  const { page, world, asha, proxy } = office;
  const folder = await world.build.folder(asha.actor, 'Asha');
  await enterDrive(office, `/dashboard/folder/${folder.id}`);
  proxy.hold();
  await uploadFiles(page, [{ name: 'Late.pdf', content: 'x'.repeat(100 * 1024) }]);
  await waitForText(page, 'Uploading');
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/settings' });
    document.querySelector('main')?.append(link);
    link.click();
  });
  await page.waitForFunction(() => location.pathname === '/settings');
  proxy.release();
  await waitForText(page, '1 upload complete');
  await page.waitForSelector('[data-uploads]', { hidden: true });
  await page.evaluate(() => {
    // A minute later: longer than a screen takes to load, shorter than a list stays in the cache.
    const now = Date.now;
    Date.now = () => now() + 60_000;
  });
  await goTo(page, '/dashboard');
  await page.waitForNetworkIdle({ idleTime: 300 });
  await page.locator('[data-id][aria-label="Asha"] a').click();
  await row(page, 'Late.pdf');
});

test('relative times go on in a screen that stays open', async (office) => {
  const { page, url, world, asha } = office;
  // The pages count from the clock of the machine.
  world.shiftClock(Date.now() - world.now().getTime());
  const client_id = await world.build.client(asha.actor, 'Anand Mills');
  await world.build.file(asha.actor, { name: 'First.pdf', client_id });
  await page.evaluateOnNewDocument(() => {
    const { setInterval: original } = globalThis;
    const MINUTE_MS = 60_000;
    Object.assign(globalThis, {
      setInterval: (run: () => void, ms: number) => original(run, ms === MINUTE_MS ? 100 : ms),
    });
  });
  for (const screen of ['/team', `/clients/${client_id}`, '/recent', '/dashboard']) {
    await signIn(page, url, ASHA, screen);
    await page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 3 * 3_600_000;
    });
    await waitForText(page, '3h ago');
  }
});

test.run();
