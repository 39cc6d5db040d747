import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load, signIn } from '#server/testing/browser.ts';
import { openByName } from './drive.ts';
import { ASHA, officeSuite } from './office.ts';

const test = officeSuite('toasts');

const SIZES = [
  { width: 1366, height: 768 },
  { width: 390, height: 844, hasTouch: true, isMobile: true },
];

/** Loads a screen with a toast whose title and description take two lines each at most. */
async function loadWithToast(page: Page, address: string): Promise<void> {
  await page.evaluate(() =>
    sessionStorage.setItem(
      'flash',
      JSON.stringify({
        title: '“Form 16 of Meera Iyer.pdf” restored',
        description: 'Its name was taken: it is called “Form 16 of Meera Iyer (2).pdf” now.',
        duration: 600_000,
      }),
    ),
  );
  await load(page, address);
  await page.waitForSelector('[data-sonner-toast][data-mounted=true]');
}

/** The labels of the buttons inside the first element that matches, of which the toast covers a part. */
async function coveredIn(page: Page, selector: string): Promise<string[]> {
  await page.waitForSelector(`${selector} button`);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-sonner-toast], [role=dialog]')].every((element) =>
      element.getAnimations().every(({ playState }) => playState !== 'running'),
    ),
  );
  return page.evaluate((within) => {
    const toast = document.querySelector('[data-sonner-toast]')!.getBoundingClientRect();
    return [...document.querySelectorAll<HTMLElement>(`${within} button`)].flatMap((button) => {
      const box = button.getBoundingClientRect();
      const isApart =
        box.width === 0 ||
        box.right <= toast.left ||
        box.left >= toast.right ||
        box.bottom <= toast.top ||
        box.top >= toast.bottom;
      return isApart ? [] : (button.ariaLabel ?? button.innerText);
    });
  }, selector);
}

for (const size of SIZES)
  test(`a toast covers no button of a preview, of the values beside it, or of a dialog, with which one goes on (${size.width} px)`, async (office) => {
    const { page, world, asha, url } = office;
    await world.build.file(asha.actor, { name: 'Form 16.txt' });
    await page.setViewport(size);
    await signIn(page, url, ASHA, '/help');
    await loadWithToast(page, `${url}/dashboard`);
    await openByName(page, 'Form 16.txt');
    assert.equal(await coveredIn(page, '.preview-layer header'), []);
    await page.locator('.preview-layer [aria-label="Values in this document"]').click();
    assert.equal(await coveredIn(page, size.width < 768 ? '[data-dialog]' : '.preview-fields'), []);

    await loadWithToast(page, `${url}/requests`);
    await page.locator('button ::-p-text(Ask for documents)').click();
    assert.equal(await coveredIn(page, '[data-dialog]'), []);
    await loadWithToast(page, `${url}/clients`);
    await page.locator('main button ::-p-text(New Client)').click();
    assert.equal(await coveredIn(page, '[data-dialog]'), []);
  });

test.run();
