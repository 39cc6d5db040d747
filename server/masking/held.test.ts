import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from '#server/sharing/testing/recipient.ts';
import { eachOffice, recipient } from '#server/sharing/testing/recipient.ts';

const test = suite<Office>('files in quarantine behind a masking link');
eachOffice(test);

test('the note in a ZIP on files that are held back masks the numbers in their names and folders, as all names of the link', async (office) => {
  const { build, asha, share, address, db } = office;
  const folder = await build.folder(asha.actor, 'KYC 2345 6789 0124');
  const inFolder = { parent_id: folder.id };
  const held = await build.file(asha.actor, { name: 'card 234567890124.pdf', ...inFolder });
  await build.file(asha.actor, { name: 'आधार २३४५ - ६७८९ - ०१२४.pdf', ...inFolder });
  await build.file(asha.actor, { name: 'aadhaar 2345\u20116789\u20110124.pdf', ...inFolder });
  await build.folder(asha.actor, 'Empty', folder.id);
  const { blob_id } = await db('items').where({ id: held.id }).first('blob_id');
  const now = office.now().toISOString();
  await db('quarantined_blobs').insert({
    blob_id,
    firm_id: asha.actor.firmId,
    name: 'card.pdf',
    bytes: 1,
    state: 'waiting',
    source: 'office',
    tries: 0,
    next_try_at: now,
    created_at: now,
  });
  const priya = recipient(office, address, (await share([folder.id], { mask_aadhaar: true })).url);
  const zip = await (await priya.download('all'))!.text();
  assert.match(zip, 'HELD BACK.txt');
  assert.match(zip, 'KYC XXXX XXXX 0124/card XXXXXXXX0124.pdf');
  assert.match(zip, 'आधार XXXX - XXXX - ०१२४.pdf');
  assert.match(zip, 'aadhaar XXXX\u2011XXXX\u20110124.pdf');
  assert.not.match(zip, /(?:2345|२३४५)\D{0,3}(?:6789|६७८९)/);
});

test.run();
