import * as assert from 'uvu/assert';
import { recognise, FORM_16, STATEMENT } from '#server/fields/testing/recognised.ts';
import { load, signIn } from '#server/testing/browser.ts';
import { pdf } from '#server/tools/samples.ts';
import { violations } from './axe.ts';
import { ASHA, officeSuite, seen } from './office.ts';

const test = officeSuite('what documents say');

const LINES = ['FORM NO. 16', 'Gross salary 12,00,000.00', 'Tax deducted 90,000.00'];

test('a click on a value lights up its place on the page, and what is corrected there is marked as one’s own', async ({
  page,
  url,
  world,
  asha,
}) => {
  const file = await world.build.file(asha.actor, { name: 'scan0043.pdf', content: pdf([['Cover'], LINES]) });
  const at = { page: 2, box: [720, 890, 2400, 160] as const };
  await recognise(world, file.id, { ...FORM_16, fields: FORM_16.fields.map((one) => ({ ...one, ...at })) });
  await signIn(page, url, ASHA, `/dashboard?preview=${file.id}`);
  await page.locator('[aria-label="What it says"]').click();
  await page.locator('.preview-fields button ::-p-text(₹ 12,00,000.00)').click();
  const lit = await page.waitForSelector('[data-page="2"] .page-lit');
  assert.ok(await lit!.isIntersectingViewport(), 'the page is scrolled to it');
  assert.equal(await violations(page), []);

  await page.locator('[aria-label="Actions for Gross salary"]').click();
  await page.locator('[role="menuitem"] ::-p-text(Correct)').click();
  await page.locator('.preview-fields input').fill('many');
  await page.keyboard.press('Enter');
  await seen(page, 'Write an amount in rupees');
  await page.locator('.preview-fields input').fill('12,50,000');
  await page.keyboard.press('Enter');
  await seen(page, '₹ 12,50,000.00');
  await seen(page, 'Corrected by Asha Rao · Read: ₹ 12,00,000.00');
  await seen(page, '1 value to check');
});

test('Review is gone through by keyboard alone, from the place on the page to the end', async ({
  page,
  url,
  world,
  asha,
}) => {
  const form = await world.build.file(asha.actor, { name: 'form.pdf', content: pdf([LINES]) });
  await recognise(world, form.id, FORM_16);
  const bank = await world.build.file(asha.actor, { name: 'bank.pdf', content: pdf([['Statement']]) });
  await recognise(world, bank.id, STATEMENT);
  await signIn(page, url, ASHA, '/review');
  await seen(page, 'bank.pdf');
  await page.waitForSelector('.review-value img');
  assert.equal(await violations(page), []);
  await page.keyboard.press('Enter');
  await seen(page, 'form.pdf');
  await page.waitForSelector('.review-value .review-mark');
  await page.keyboard.type('1,2345');
  await page.keyboard.press('Enter');
  await seen(page, 'Write an amount in rupees');
  await page.keyboard.type('12,50,000');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[aria-label="Tax deducted"]');
  await page.keyboard.press('Tab');
  await seen(page, 'You have been through all of them');
  await load(page, `${url}/review`);
  await page.waitForSelector('[aria-label="Tax deducted"] input:focus');
  await page.keyboard.press('Enter');
  await seen(page, 'Nothing to review');
  const { fields } = await world.services.fields.view(asha.actor, form.id);
  assert.equal(
    fields.flatMap(({ id, value, answer }) => (answer ? [[id, value, answer.what]] : [])),
    [
      ['gross_salary', '125000000', 'corrected'],
      ['tax_deducted', '9000000', 'confirmed'],
    ],
  );
});

test.run();
