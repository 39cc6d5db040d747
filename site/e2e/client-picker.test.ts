import * as assert from 'uvu/assert';
import { clickButton, clickRow, enterDrive, press } from './drive.ts';
import type { Office } from './office.ts';
import { officeSuite, replaceText, waitForValue } from './office.ts';

const test = officeSuite('the client picker');

const FIELD = '[role=dialog] input[role=combobox]';
const LONG = 'Shri Venkateswara Krishnamurthy Subramaniam and Brothers Textile Mills Private Limited Unit';

const valueOf = ({ page }: Office) =>
  page.$eval(FIELD, (field) => (field instanceof HTMLInputElement ? field.value : null));
/** The last part of each text that is drawn whole within its box. */
const visibleEnds = ({ page }: Office, boxes: string) =>
  page.$$eval(boxes, (all) =>
    all.map((box) => {
      const end = [...box.querySelectorAll('[title] > span')].at(-1);
      const [outer, inner] = [box.getBoundingClientRect(), end?.getBoundingClientRect()];
      const isWhole = end && inner && inner.right <= outer.right + 1 && end.scrollWidth <= end.clientWidth;
      return isWhole ? (end.textContent ?? '') : null;
    }),
  );

async function changeClient(office: Office, name: string): Promise<void> {
  await clickRow(office.page, name);
  await clickButton(office.page, 'Change client');
  await office.page.waitForSelector(`${FIELD}:focus`);
}

test('Enter chooses the client whose name was typed, not one whose phone number contains a part of it, nor "No Client"', async (office) => {
  const { page, world, asha } = office;
  for (let index = 1; index <= 12; index += 1)
    await world.build.client(asha.actor, `Client ${String(index).padStart(2, '0')} Enterprises`, {
      phone: `98200000${10 + index}`,
    });
  await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  await enterDrive(office);
  await changeClient(office, 'Form 16.pdf');
  for (const [typed, chosen] of [
    ['Client 11', 'Client 11 Enterprises'],
    ['client', 'Client 01 Enterprises'],
  ] as const) {
    await replaceText(page, FIELD, typed);
    await press(page, 'Enter');
    await waitForValue(() => valueOf(office), chosen);
  }
});

test('clients whose long names differ at the end can be told apart in the list, in the field and among the files', async (office) => {
  const { page, world, asha } = office;
  for (const unit of [1, 2]) {
    const client_id = await world.build.client(asha.actor, `${LONG} ${unit}`, { city: 'Pune' });
    await world.build.file(asha.actor, { name: `Form 16 of ${unit}.pdf`, client_id });
  }
  await enterDrive(office);
  for (const [width, cell] of [
    [1366, '.list-client[role=gridcell]'],
    [900, '[role=row] .beside-client'],
  ] as const) {
    await page.setViewport({ width, height: 768 });
    await waitForValue(
      async () => (await visibleEnds(office, cell)).map((end) => end?.slice(-6)),
      ['Unit 1', 'Unit 2'],
    );
  }
  await page.setViewport({ width: 1366, height: 768 });
  await changeClient(office, 'Form 16 of 1.pdf');
  await page.locator(FIELD).fill('Venkat');
  await waitForValue(
    async () => (await visibleEnds(office, '[role=option]')).map((end) => end?.slice(-6)),
    ['Unit 1', 'Unit 2'],
  );
  const [list, field] = await Promise.all(
    ['[role=listbox]', FIELD].map((one) => page.$eval(one, (box) => box.getBoundingClientRect().width)),
  );
  assert.ok(list! + 10 >= field!, 'the list is as wide as its field');
  const active = () =>
    page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant');
      return id && document.getElementById(id)?.querySelector('[title]')?.getAttribute('title');
    });
  await waitForValue(active, `${LONG} 1`);
  await press(page, 'ArrowDown');
  assert.is(await active(), `${LONG} 2`, 'the first option is highlighted already, and read out');
  await press(page, 'Enter');
  await page.waitForSelector(`[role=dialog] form p ::-p-text(${LONG} 2)`);
  assert.is(await page.$eval(FIELD, (input) => input.getAttribute('title')), `${LONG} 2`);
  await page.waitForSelector(`[role=dialog] ::-p-text(Now: ${LONG} 1)`);
  await press(page, 'Tab');
  const after = await page.evaluate(() => document.activeElement?.textContent);
  assert.is(after, 'Cancel', 'not the button that clears the field, which the next Enter would press');
});

test.run();
