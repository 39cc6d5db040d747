import * as assert from 'uvu/assert';
import { officeSuite, waitForValue } from './office.ts';

const test = officeSuite('how tests act');

test('a click waits until the button is neither grey nor busy, since one that comes earlier is lost without a word', async ({
  page,
}) => {
  for (const attribute of ['disabled', 'aria-disabled']) {
    for (const act of [
      () => page.locator('button ::-p-text(Save)').click(),
      () => page.click('button'),
    ] as const) {
      const says = `document.title = this.hasAttribute('${attribute}') ? 'too early' : 'clicked'`;
      await page.setContent(
        `<title></title><button ${attribute}="true" onclick="${says}"><span>Save</span></button>`,
      );
      await page.$eval(
        'button',
        (button, name) => void setTimeout(() => button.removeAttribute(name), 1000),
        attribute,
      );
      await act();
      assert.is(await page.title(), 'clicked', attribute);
    }
  }
});

test('a click finds what is drawn anew while the page scrolls to it', async ({ page }) => {
  await page.setContent(
    `<div style="height: 3000px"></div><button onclick="document.title = 'clicked'">Save</button>`,
  );
  await page.evaluate(() =>
    addEventListener(
      'scroll',
      () => {
        const button = document.querySelector('button')!;
        button.replaceWith(button.cloneNode(true));
      },
      { once: true },
    ),
  );
  await page.locator('button').click();
  await waitForValue(() => page.title(), 'clicked');
});

test('a click reaches its button although the page moves it at the last moment, and nothing else instead', async ({
  page,
}) => {
  await page.setContent(
    `<title></title><button id="delete" onclick="document.title += 'deleted '">Delete</button>
    <button id="save" onclick="document.title += 'saved '">Save</button>`,
  );
  // As a section that is drawn above the button once the mouse has been moved to its place.
  await page.evaluate(() => {
    const move = () => document.querySelector('#delete')!.before(document.querySelector('#save')!);
    addEventListener('mousemove', move, { once: true });
  });
  await page.locator('#save').click();
  assert.is(await page.title(), 'saved');
});

test.run();
