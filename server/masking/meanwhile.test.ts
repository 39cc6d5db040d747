import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mixedPdf } from '#server/reading/testing/scans.ts';
import { readAll } from '#server/reading/testing/office.ts';
import type { Office } from '#server/sharing/testing/recipient.ts';
import { eachOffice, recipient, untilMasked } from '#server/sharing/testing/recipient.ts';

const test = suite<Office>('what happens while a file is masked');
eachOffice(test, { reading: true });

/** A shared file, which is read again right after the next bytes are stored. */
async function readAgainAfterNextPut(office: Office) {
  const { build, asha, share, address, services, blobs, db } = office;
  const content = mixedPdf([['Bill of supply', `for Ramesh, Pune`]]);
  const { id } = await build.file(asha.actor, { name: 'Bill.pdf', content });
  await readAll(office);
  const { sha256 } = await services.documents.openFile(asha.actor, id);
  const priya = recipient(office, address, (await share([id], { mask_aadhaar: true })).url);
  const { put } = blobs;
  return {
    id,
    priya,
    renditions: (): Promise<string[]> =>
      db('renditions').where({ sha256 }).whereLike('kind', 'masked%').pluck('kind'),
    arm(): void {
      blobs.put = async (...args) => {
        const stored = await put.call(blobs, ...args);
        blobs.put = put;
        await services.reading.readAgain(asha.actor, id);
        await readAll(office);
        return stored;
      };
    },
  };
}

test('a verdict on a file that was read again while its copy was stored is not kept, since more numbers may be known', async (office) => {
  const { id, priya, renditions, arm } = await readAgainAfterNextPut(office);
  arm();
  await priya.download(id);
  assert.equal(await renditions(), [], 'it is made again by the next request');
  await untilMasked(office, [id]);
  assert.ok(await priya.download(id));
  assert.equal(await renditions(), ['masked pdf']);
});

test('a page that was drawn from a copy before the file was read again is not kept, since a number may show on it', async (office) => {
  const { id, priya, renditions, arm } = await readAgainAfterNextPut(office);
  await untilMasked(office, [id]);
  arm();
  assert.is((await priya.get(`/pages/${id}/1`)).status, 200, 'it is drawn from the present copy');
  assert.equal((await renditions()).toSorted(), ['masked pdf', 'masked_page pdf']);
});

test.run();
