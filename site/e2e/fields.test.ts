import type { KeyInput, Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { field, FORM_16, recognise, STATEMENT } from '#server/fields/testing/recognised.ts';
import { load, networkIdle, signIn } from '#server/testing/browser.ts';
import { pdf } from '#server/tools/samples.ts';
import { violations } from './axe.ts';
import { goTo, press } from './drive.ts';
import { ASHA, officeSuite, replaceText, textOf, waitForText, waitForValue } from './office.ts';

const test = officeSuite('recognised values of documents');

const LINES = ['FORM NO. 16', 'Gross salary 12,00,000.00', 'Tax deducted 90,000.00'];

test('a click on a recognised value highlights its place on the page, and a correction names who made it', async ({
  page,
  url,
  world,
  asha,
}) => {
  const file = await world.build.file(asha.actor, { name: 'scan0043.pdf', content: pdf([['Cover'], LINES]) });
  const place = { page: 2, box: [720, 890, 2400, 160] as const };
  await recognise(world, file.id, {
    ...FORM_16,
    period: null,
    fields: FORM_16.fields.map((field) => ({ ...field, ...place })),
  });
  await signIn(page, url, ASHA, `/dashboard?preview=${file.id}`);
  await page.waitForSelector('[data-page="1"] canvas');
  await page.keyboard.press('R');
  await page.locator('[aria-label="Values in this document"]').click();
  await page.locator('.preview-fields button ::-p-text(₹ 12,00,000.00)').click();
  await waitForText(page, 'Not found');
  const highlight = await page.waitForSelector('[data-page="2"] .page-lit');
  assert.ok(await highlight!.isIntersectingViewport(), 'the page is scrolled to it');
  const { width, height } = (await highlight!.boundingBox())!;
  assert.ok(height > width, 'it lies on the rotated page');
  assert.equal(await violations(page), []);

  await page.locator('[aria-label="Actions for Gross salary"]').click();
  await page.locator('[role="menuitem"] ::-p-text(Correct)').click();
  await replaceText(page, '.preview-fields input', 'many');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Write an amount in rupees');
  await replaceText(page, '.preview-fields input', '12,50,000');
  await page.keyboard.press('Enter');
  await waitForText(page, '₹ 12,50,000.00');
  await waitForText(page, 'Corrected by Asha Rao · Read: ₹ 12,00,000.00');
  await waitForText(page, '1 value to check');
});

test('the values of a document are opened, corrected and taken back by keys, and nothing covers who corrected one', async ({
  page,
  url,
  world,
  asha,
}) => {
  const file = await world.build.file(asha.actor, { name: 'scan0043.pdf', content: pdf([LINES]) });
  await recognise(world, file.id, FORM_16);
  await signIn(page, url, ASHA, `/dashboard?preview=${file.id}`);
  await page.waitForSelector('[data-page="1"] canvas');
  await page.focus('[aria-label="Values in this document"]');
  await press(page, 'Enter');
  await page.waitForSelector('.preview-fields li button:focus');
  await press(page, 'i');
  await page.waitForSelector('.preview-fields', { hidden: true });
  await page.waitForSelector('.preview-layer [tabindex="-1"]:focus');
  await press(page, 'i');
  await page.waitForSelector('.preview-fields li button:focus');
  await page.focus('[aria-label="Actions for Gross salary"]');
  await press(page, 'Enter');
  await page.waitForSelector('[role=menuitem]:focus');
  await press(page, 'Enter');
  await page.waitForSelector('.preview-fields input:focus');
  await replaceText(page, '.preview-fields input', '12,50,000');
  await press(page, 'Enter');
  await waitForText(page, 'Corrected by Asha Rao');
  await page.waitForSelector('[aria-label="Actions for Gross salary"]:focus');
  assert.is(await page.$('[role=tooltip]'), null);
  await press(page, 'Control+z');
  await waitForText(page, 'Gross salary is as it was before');
  await waitForText(page, '₹ 12,00,000.00');
  const { fields } = await world.services.fields.view(asha.actor, file.id);
  assert.is(fields.find(({ id }) => id === 'gross_salary')?.answer, null);
});

const textIn = (page: Page) => page.$eval('.review-value input', ({ value }) => value);
const CONFIRM = '.review-value .flex.gap-2 > button:first-child';

test('the values in Review are answered by keyboard alone, each with its place on the page shown, and from the end one can go back', async ({
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
  await waitForText(page, 'bank.pdf');
  // A value can be confirmed only when its place on the page is shown.
  await page.waitForSelector(`${CONFIRM}:not([disabled])`);
  await page.waitForSelector('.review-value img');
  assert.equal(await violations(page), []);
  for (const button of ['Confirm', 'Later']) {
    await page.keyboard.press('Tab');
    assert.is(await page.evaluate(() => document.activeElement?.textContent), button);
  }
  for (let back = 0; back < 3; back += 1) await press(page, 'Shift+Tab');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Open the document');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForText(page, 'form.pdf');
  await page.waitForSelector('.review-value .review-mark');
  await page.keyboard.type('1,2345');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Write an amount in rupees');
  await page.waitForSelector('[aria-label="Gross salary"] input:focus');
  await replaceText(page, '.review-value input', '12,50,000');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[aria-label="Tax deducted"] input:focus');
  await page.keyboard.press('ArrowDown');
  await waitForText(page, 'You have been through all of them');
  await load(page, `${url}/review`);
  await page.waitForSelector('[aria-label="Tax deducted"] input:focus');
  await page.waitForSelector(`${CONFIRM}:not([disabled])`);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Nothing to review');
  await press(page, 'Control+z');
  await page.waitForSelector('[aria-label="Tax deducted"] input:focus');
  await waitForText(page, 'is as it was before');
  assert.not.match(await textOf(page, '.review-value'), 'You have answered this already');
  await press(page, 'Control+z');
  await waitForText(page, 'Nothing to undo');
  await page.waitForSelector(`${CONFIRM}:not([disabled])`);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Nothing to review');
  await page.keyboard.press('ArrowUp');
  await waitForText(page, 'You have answered this already');
  await replaceText(page, '.review-value input', '95,000');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Nothing to review');
  await page.keyboard.press('ArrowUp');
  await waitForValue(() => textIn(page), '95,000');
  await press(page, 'Control+z');
  await waitForValue(() => textIn(page), '90,000.00', 'the next Enter would save what is shown');
  await page.waitForSelector(`${CONFIRM}:not([disabled])`);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Nothing to review');
  const { fields } = await world.services.fields.view(asha.actor, form.id);
  assert.equal(
    fields.flatMap(({ id, value, answer }) => (answer ? [[id, value, answer.what]] : [])),
    [
      ['gross_salary', '125000000', 'corrected'],
      ['tax_deducted', '9000000', 'confirmed'],
    ],
  );
});

/** Waits until a value has the focus and its place on the page is shown, then presses these keys. */
async function answer(
  page: Page,
  name: string,
  keys: readonly (KeyInput | { type: string })[],
): Promise<void> {
  const input = `.review-value[aria-label="${name}"] :is(input, select):focus`;
  await page.waitForSelector(input);
  await page.waitForSelector(`${CONFIRM}:not([disabled])`);
  for (const key of keys) {
    if (typeof key === 'string') await page.keyboard.press(key);
    else await page.keyboard.type(key.type);
  }
}

test('ten values in Review are confirmed, corrected, cleared, skipped and changed again by keyboard alone', async ({
  page,
  url,
  world,
  asha,
}) => {
  const file = await world.build.file(asha.actor, { name: 'sixteen.pdf', content: pdf([LINES, ['Ten']]) });
  const unsure = (key: string, value: string, kind: 'amount' | 'text' = 'amount') =>
    field(key, value, { kind, sure: 0.5, raw: value });
  await recognise(world, file.id, {
    ...FORM_16,
    type_sure: 0.7,
    fields: [
      field('employee_pan', 'AAAPZO0S0A', { kind: 'identifier', check: 'failed', sure: 0.3 }),
      unsure('employer_name', 'Zwxqvk Textiles', 'text'),
      unsure('gross_salary', '120000000'),
      unsure('standard_deduction', '7500000'),
      unsure('professional_tax', '250000'),
      unsure('deduction_80c', '15000000'),
      unsure('total_income', '100000000'),
      unsure('cess', '400000'),
      unsure('tax_payable', '9400000'),
    ],
  });
  await signIn(page, url, ASHA, '/review');
  await waitForText(page, '10 values in 1 document');
  await answer(page, 'Type of document', []);
  // A choice takes no text, so that the keys that work everywhere work there too.
  await page.keyboard.press('?');
  await page.waitForSelector('[role=dialog] ::-p-text(Keyboard shortcuts)');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await answer(page, 'Type of document', ['PageDown']);
  await answer(page, 'PAN of the employee', ['PageUp']);
  await answer(page, 'Type of document', ['Enter']);
  await answer(page, 'PAN of the employee', []);
  await waitForText(page, 'Did you mean AAAPZ0050A?');
  await answer(page, 'PAN of the employee', ['F2']);
  await answer(page, 'Employer', ['ArrowUp']);
  await answer(page, 'PAN of the employee', []);
  await waitForText(page, 'You have answered this already');
  const corrected = await page.$eval('.review-value', ({ textContent }) => textContent);
  assert.not.match(corrected!, /Did you mean|check digit/, 'the answer is not doubted as the read value was');
  await answer(page, 'PAN of the employee', ['ArrowDown']);
  await answer(page, 'Employer', [{ type: 'Zwxqvk Textiles Ltd' }, 'Enter']);
  await answer(page, 'Gross salary', ['ArrowDown']);
  await answer(page, 'Standard deduction', ['ArrowUp']);
  await answer(page, 'Gross salary', ['ArrowUp']);
  // Back at a value that was answered, with the answer.
  await waitForText(page, 'You have answered this already');
  await answer(page, 'Employer', [{ type: 'Zwxqvk Textiles LLP' }, 'Enter']);
  await answer(page, 'Gross salary', [{ type: 'lots' }, 'Escape', 'Enter']);
  await answer(page, 'Standard deduction', ['Enter']);
  await answer(page, 'Professional tax', ['Backspace', 'Enter']);
  await answer(page, 'Deduction 80C', [{ type: '1,2345' }, 'Enter']);
  await waitForText(page, 'Write an amount in rupees');
  await answer(page, 'Deduction 80C', ['ArrowDown']);
  await answer(page, 'Total income', [{ type: '10,0' }, 'Escape', 'ArrowDown']);
  await answer(page, 'Cess', ['Enter']);
  await answer(page, 'Tax payable', ['PageDown']);
  await waitForText(page, 'You have been through all of them');
  await waitForText(page, '3 values were left for later');
  // The last value had the focus: now the button "Start again" has it.
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Start again'));
  assert.equal(await violations(page), []);
  await page.keyboard.press('Enter');
  await answer(page, 'Deduction 80C', []);
  assert.is(await textIn(page), '1,2345', 'what was typed is kept');
  await replaceText(page, '.review-value input', '1,45,000');
  await answer(page, 'Deduction 80C', ['Enter']);
  await answer(page, 'Total income', ['Enter']);
  await answer(page, 'Tax payable', ['Enter']);
  await waitForText(page, 'Nothing to review');
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Nothing to review'));
  const { fields, unsure: unsureCount } = await world.services.fields.view(asha.actor, file.id);
  assert.is(unsureCount, 0);
  assert.equal(
    fields.map(({ id, value, answer }) => [id, value, answer?.what]),
    [
      ['employee_pan', 'AAAPZ0050A', 'corrected'],
      ['employer_name', 'Zwxqvk Textiles LLP', 'corrected'],
      ['gross_salary', '120000000', 'confirmed'],
      ['standard_deduction', '7500000', 'confirmed'],
      ['professional_tax', null, 'cleared'],
      ['deduction_80c', '14500000', 'corrected'],
      ['total_income', '100000000', 'confirmed'],
      ['cess', '400000', 'confirmed'],
      ['tax_payable', '9400000', 'confirmed'],
    ],
  );
});

test('what is typed in Review is kept while another value, screen or the document is looked at, and a reload asks before it is lost', async ({
  page,
  url,
  world,
  asha,
}) => {
  const form = await world.build.file(asha.actor, { name: 'typed.pdf', content: pdf([LINES, ['Typed']]) });
  await recognise(world, form.id, FORM_16);
  await signIn(page, url, ASHA, '/review');
  await answer(page, 'Gross salary', [{ type: '12,34,567' }, 'ArrowDown']);
  await answer(page, 'Tax deducted', ['ArrowUp']);
  await answer(page, 'Gross salary', []);
  assert.is(await textIn(page), '12,34,567');
  await page.locator('.review-value ::-p-text(Later)').click();
  await answer(page, 'Tax deducted', []);
  await goTo(page, '/clients');
  await goTo(page, '/review');
  await answer(page, 'Gross salary', []);
  assert.is(await textIn(page), '12,34,567');
  const asks = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.ok(await asks());
  await answer(page, 'Gross salary', ['Enter']);
  await answer(page, 'Tax deducted', []);
  assert.not.ok(await asks(), 'nothing typed is left');
  const { fields } = await world.services.fields.view(asha.actor, form.id);
  assert.is(fields.find(({ id }) => id === 'gross_salary')!.value, '123456700');
});

test('what is typed in Review about a document that is deleted meanwhile is shown in the details, which can discard it', async (office) => {
  const { page, url, world, asha } = office;
  const form = await world.build.file(asha.actor, { name: 'typed.pdf', content: pdf([LINES, ['Typed']]) });
  const other = await world.build.file(asha.actor, { name: 'other.txt' });
  await recognise(world, form.id, FORM_16);
  await signIn(page, url, ASHA, '/review');
  await answer(page, 'Gross salary', [{ type: '12,34,567' }]);
  await world.services.documents.remove(asha.actor, [form.id]);
  await goTo(page, '/dashboard');
  await page.locator(`[data-id="${other.id}"] [data-check]`).click();
  await press(page, 'i');
  await waitForText(page, '“Gross salary” of “typed.pdf” is not saved');
  assert.is(await textOf(page, '.details [data-draft]'), '12,34,567');
});

test('a value that a colleague has changed is not overwritten from Review: theirs is shown, and Enter saves all the same', async ({
  page,
  url,
  world,
  asha,
}) => {
  const ravi = await world.build.colleague(asha.actor, { name: 'Ravi Kumar' });
  const form = await world.build.file(asha.actor, { name: 'two.pdf', content: pdf([LINES, ['Two']]) });
  await recognise(world, form.id, FORM_16);
  await signIn(page, url, ASHA, '/review');
  await answer(page, 'Gross salary', []);
  await world.services.fields.answer(ravi.actor, form.id, [
    { id: 'gross_salary', answer: 'corrected', value: '11,00,000' },
  ]);
  await answer(page, 'Gross salary', [{ type: '13,00,000' }, 'Enter']);
  await waitForText(page, 'Changed by Ravi Kumar a moment ago. Your value is not saved.');
  await waitForText(page, '₹ 11,00,000.00');
  assert.is(await textOf(page, CONFIRM), 'Save all the same');
  await answer(page, 'Gross salary', ['Enter']);
  await answer(page, 'Tax deducted', []);
  const { fields } = await world.services.fields.view(asha.actor, form.id);
  assert.is(fields.find(({ id }) => id === 'gross_salary')!.value, '130000000');
});

test('the history says "Viewed" only of a document that Review has shown, and not of the next one', async ({
  page,
  url,
  world,
  asha,
}) => {
  const later = await world.build.file(asha.actor, { name: 'later.pdf', content: pdf([LINES, ['Later']]) });
  await recognise(world, later.id, FORM_16);
  const first = await world.build.file(asha.actor, { name: 'first.pdf', content: pdf([LINES, ['First']]) });
  await recognise(world, first.id, FORM_16);
  const viewings = async ({ id }: { id: number }) =>
    (await world.services.audit.list(asha.actor, { item: id })).data.filter(({ what }) => what === 'Viewed')
      .length;
  await signIn(page, url, ASHA, '/review');
  await waitForText(page, 'first.pdf');
  await page.waitForSelector('.review-value img');
  await networkIdle(page, { idle: 500 });
  assert.equal([await viewings(first), await viewings(later)], [1, 0]);
  await answer(page, 'Gross salary', ['ArrowDown']);
  await answer(page, 'Tax deducted', ['ArrowDown']);
  await waitForText(page, 'later.pdf');
  await page.waitForSelector('.review-value img');
  assert.is(await viewings(later), 1);
});

test.run();
