import * as assert from 'uvu/assert';
import { violations } from './axe.ts';
import { clickButton, clickRow, enterDrive, press } from './drive.ts';
import type { Office } from './office.ts';
import { officeSuite, waitForText, waitForValue } from './office.ts';

const test = officeSuite('the folder that items are moved to');

/** Folders of the same year of two clients, and in that of one an open dialog that moves a bill of theirs. */
async function moveBill(office: Office) {
  const { page, world, asha } = office;
  const { documents } = world.services;
  const years: number[] = [];
  for (const name of ['Sharma Traders', 'Meera Iyer']) {
    const client_id = await world.build.client(asha.actor, name);
    const home = await documents.createFolder(asha.actor, { name, parent_id: null, client_id });
    for (const year of ['FY 2024-25', 'FY 2025-26'])
      years.push(
        (await documents.createFolder(asha.actor, { name: year, parent_id: home.id, client_id })).id,
      );
    if (years.length === 2)
      await world.build.file(asha.actor, { name: 'Bill.pdf', parent_id: years[1]!, client_id });
  }
  await enterDrive(office, `/dashboard/folder/${years[1]}`);
  await clickRow(page, 'Bill.pdf');
  await clickButton(page, 'Move to');
  await page.waitForSelector('[role=dialog] input:focus');
  return years;
}

const foundPlaces = ({ page }: Office) =>
  page.$$eval('[role=dialog] [aria-label="Folders like FY 2024-25"] li [title]', (all) =>
    all.filter((one) => one.tagName === 'SPAN').map((one) => one.getAttribute('title')),
  );

test("a search shows the folders of the item's client first, and before the move the dialog says where the folder is and to whom the item will belong", async (office) => {
  const { page } = office;
  await moveBill(office);
  await waitForText(page, 'Client: Sharma Traders');
  await page.keyboard.type('FY 2024-25');
  // The other one is newer, so it would be first.
  await waitForValue(() => foundPlaces(office), ['Sharma Traders', 'Meera Iyer']);
  await press(page, 'Enter');
  await waitForText(page, 'Move to FY 2024-25');
  await waitForText(page, 'My Drive / Sharma Traders');
  await waitForText(page, 'Client: Sharma Traders');
  await page.keyboard.type('FY 2024-25');
  await page.locator(`[role=dialog] li button ::-p-text(Meera Iyer)`).click();
  await waitForText(page, 'My Drive / Meera Iyer');
  await waitForText(page, 'It will belong to Meera Iyer instead of Sharma Traders.');
  assert.equal(await violations(page), []);
});

test('when a colleague deletes the folder meanwhile, the dialog says who did, offers no retry, which cannot help, and leads to other folders', async (office) => {
  const { page, world, asha } = office;
  const years = await moveBill(office);
  await page.locator('::-p-aria([name="Folder above"][role="button"])').click();
  await page.locator('[role=dialog] li button[title="FY 2024-25"]').click();
  await waitForText(page, 'Move to FY 2024-25');
  const { actor: ravi } = await world.build.colleague(asha.actor, { name: 'Ravi Kumar' });
  await world.services.documents.remove(ravi, [years[0]!]);
  await page.waitForSelector('[role=dialog] ul [role=alert] ::-p-text(Deleted by Ravi Kumar)');
  await waitForText(page, 'Choose another folder.');
  assert.is(await page.$('[role=dialog] ::-p-text(Retry)'), null);
  assert.ok(await page.$('[role=dialog] [type=submit]:disabled'));
  await page.locator('::-p-aria([name="Folder above"][role="button"])').click();
  await page.waitForSelector('[role=dialog] li button[title="FY 2025-26"]');
});

test.run();
