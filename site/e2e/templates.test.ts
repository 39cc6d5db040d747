import * as assert from 'uvu/assert';
import { load, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { clickButton, press } from './drive.ts';
import { ASHA, officeSuite, waitForText } from './office.ts';

const test = officeSuite('folder templates');

test('a folder template is applied after a preview to clients selected by a click with Shift, and the folders are in the drive', async (office) => {
  const { page, world, asha } = office;
  for (const name of ['Iyer', 'Mehta', 'Rao', 'Sharma']) await world.build.client(asha.actor, name);
  await signIn(page, office.url, ASHA, '/clients');
  const top = () => page.$eval('main [data-id]', (line) => line.getBoundingClientRect().top);
  const before = await top();
  await page.focus('[aria-label="Select clients"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=toolbar] button:focus');
  assert.is(await top(), before, 'the list stays where it is, so that a click does not select another row');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[aria-label="Select clients"]:focus');
  await page.keyboard.press('Enter');
  await page.locator('[data-id]:nth-child(1) .client-pick').click();
  await page.keyboard.down('Shift');
  await page.locator('[data-id]:nth-child(3) .client-pick').click();
  await page.keyboard.up('Shift');
  await waitForText(page, '3 selected');
  assert.equal(await violations(page), []);
  await page.locator('[role=toolbar] ::-p-aria(Apply folder template...)').click();
  await waitForText(page, '18 folders will be created for 3 clients.');
  await page.waitForSelector('[aria-label="Folders of Iyer"] ::-p-text(Form 16 and 26AS)');
  assert.equal(await violations(page), []);
  await clickButton(page, 'Create folders');
  await waitForText(page, 'Created 18 folders for 3 clients.');
  await page.waitForFunction(() => !document.querySelector('[role=dialog], .client-pick'));
  await load(page, `${office.url}/dashboard`);
  for (const name of ['Iyer', 'Mehta', 'Rao']) await page.waitForSelector(`[data-id][aria-label="${name}"]`);
  assert.is(await page.$('[data-id][aria-label="Sharma"]'), null);
});

test('a template is written line by line, an error names its line, and the template is applied from the page of a client', async (office) => {
  const { page, world, asha } = office;
  const id = await world.build.client(asha.actor, 'Rao');
  await signIn(page, office.url, ASHA, `/clients/${id}`);
  await page.locator('[aria-label="More actions"]').click();
  await page.locator('[role=menuitem] ::-p-text(Apply folder template...)').click();
  await clickButton(page, 'Manage templates...');
  await clickButton(page, 'New template');
  await page.type('[role=dialog] [name=name]', 'Trusts');
  const area = (await page.waitForSelector('[role=dialog] [name=outline]'))!;
  await area.focus();
  await page.keyboard.down('Control');
  await page.keyboard.press('End');
  await page.keyboard.up('Control');
  await page.keyboard.type('Form 10B');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Trust: deed');
  await waitForText(page, 'Line 3: A name cannot contain any of these');
  await clickButton(page, 'Save template');
  await waitForText(page, 'Correct the lines below first.');
  assert.equal(await violations(page), []);
  await area.focus();
  for (let n = 0; n < ': deed'.length; n += 1) await page.keyboard.press('Backspace');
  await waitForText(page, 'Preview · 3 folders');
  await clickButton(page, 'Save template');
  await page.waitForSelector('[aria-label="Edit Trusts"]');
  await clickButton(page, 'Back');
  await waitForText(page, '4 folders will be created for 1 client.');
  await clickButton(page, 'Create folders');
  await waitForText(page, 'Created 4 folders for 1 client.');
});

test('a template that was written and not saved is not discarded without a question, since it may have many lines', async (office) => {
  const { page, world, asha } = office;
  const id = await world.build.client(asha.actor, 'Rao');
  await signIn(page, office.url, ASHA, `/clients/${id}`);
  await page.locator('[aria-label="More actions"]').click();
  await page.locator('[role=menuitem] ::-p-text(Apply folder template...)').click();
  await clickButton(page, 'Manage templates...');
  await clickButton(page, 'New template');
  await page.waitForSelector('[role=dialog] [name=outline]');
  await clickButton(page, 'Cancel');
  await page.waitForSelector('[role=dialog] [name=outline]', { hidden: true });

  await clickButton(page, 'New template');
  const outline = 'Statutory audit {fy}';
  await page.focus('[role=dialog] [name=outline]');
  await press(page, 'Control+a');
  await page.keyboard.type(outline);
  for (const button of ['[aria-label=Close]', '::-p-aria([name="Cancel"][role="button"])']) {
    await page.locator(`[role=dialog] ${button}`).click();
    await waitForText(page, 'Discard your changes?');
    await clickButton(page, 'Keep editing');
    await page.waitForSelector('[role=alertdialog]', { hidden: true });
    const kept = await page.$eval('[name=outline]', (area) => (area as HTMLTextAreaElement).value);
    assert.is(kept, outline);
  }
  await page.locator('[role=dialog] [aria-label=Close]').click();
  await clickButton(page, 'Discard');
  await page.waitForSelector('[role=dialog] [name=outline]', { hidden: true });
  await waitForText(page, 'Folder templates');
});

test.run();
