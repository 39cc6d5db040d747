import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { builtSite, load, openBrowser, openPage, signIn } from '#server/testing/browser.ts';
import { PASSWORD } from '#server/testing/build.ts';
import { freshWorld } from '#server/testing/world.ts';
import { prefer } from './axe.ts';
import { furnish } from './furnish.ts';
import { pdf } from './samples.ts';

// `node site/e2e/looks.ts [folder] [screens...]`: takes every screen at three sizes in both themes, and lays those of
// one size and theme side by side, to be looked at.

const [out = '/tmp/looks', ...only] = process.argv.slice(2);
const EMAIL = 'asha@rao.example.in';
const SIZES = [
  { width: 1366, height: 768 },
  { width: 768, height: 1024 },
  { width: 390, height: 844, isMobile: true, hasTouch: true },
] as const;
const COLUMNS = 3;

await mkdir(out, { recursive: true });
const browser = await openBrowser();
const world = await freshWorld({ abuseLimits: false });
try {
  const { actor } = await world.build.account({
    email: EMAIL,
    name: 'Asha Rao',
    firm_name: 'Rao & Associates',
  });
  const { year } = await furnish(world, actor, pdf(2));
  const { id: scans } = await world.build.folder(actor, 'Scans of November');
  for (let page = 1; page <= 80; page += 1) {
    await world.build.file(actor, { name: `Scan ${String(page).padStart(3, '0')}.jpg`, parent_id: scans });
  }
  const old = await world.build.folder(actor, 'Drafts of last year');
  for (const name of ['Computation draft.pdf', 'Form 16 (wrong year).pdf', 'Bank statement March.pdf'])
    await world.build.file(actor, { name, content: 'x'.repeat(4000), parent_id: old.id });
  const [spare] = (await world.services.documents.folder(actor, scans, { limit: 1 })).items;
  await world.services.documents.remove(actor, [spare!.id]);
  await world.services.documents.remove(actor, [old.id]);
  const screens = Object.entries({
    drive: '/dashboard',
    folder: `/dashboard/folder/${year}`,
    documents: '/documents',
    clients: '/clients',
    client: '/clients/1',
    recent: '/recent',
    trash: '/trash',
    storage: '/storage',
    plans: '/subscription-plans',
    settings: '/settings',
    help: '/help',
  }).filter(([name]) => only.length === 0 || only.includes(name));
  const url = await world.serve({ site: await builtSite() });
  for (const theme of ['light', 'dark'] as const) {
    for (const size of SIZES) {
      const page = await openPage(browser);
      await page.setViewport(size);
      await prefer(page, theme);
      await signIn(page, url, { email: EMAIL, password: PASSWORD });
      const shots: Buffer[] = [];
      for (const [name, path] of screens) {
        await load(page, url + path);
        await page.waitForNetworkIdle({ idleTime: 200, timeout: 3000 }).catch(() => undefined);
        const shot = Buffer.from(await page.screenshot({ type: 'png' }));
        await writeFile(join(out, `${name}-${size.width}-${theme}.png`), shot);
        shots.push(shot);
      }
      const across = Math.min(size.width === 390 ? 5 : COLUMNS, shots.length);
      const sheet = createCanvas(
        across * (size.width + 8),
        Math.ceil(shots.length / across) * (size.height + 8),
      );
      const context = sheet.getContext('2d');
      context.fillStyle = '#c33';
      context.fillRect(0, 0, sheet.width, sheet.height);
      for (const [index, shot] of shots.entries()) {
        context.drawImage(
          await loadImage(shot),
          (index % across) * (size.width + 8),
          Math.floor(index / across) * (size.height + 8),
        );
      }
      await writeFile(join(out, `sheet-${size.width}-${theme}.png`), await sheet.encode('png'));
      await page.browserContext().close();
    }
  }
} finally {
  await browser.close();
  await world.close();
}
process.exit();
