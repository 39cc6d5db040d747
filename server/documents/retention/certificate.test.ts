import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openWithPdfJs } from '#server/sandbox/pdf-js.ts';
import { certificateName, certificatePdf } from './certificate.ts';

const AT = '2027-12-25T10:00:00.000Z';
const DESTRUCTION = {
  id: 7,
  firm_name: 'Rao & Co',
  reason: 'Its time has run out',
  confirmed_by: 'Asha Rao',
  confirmed_at: AT,
  finished_at: AT,
  listed: 2,
  files: 2,
  stayed: 0,
  bytes: 1000,
  formatted_bytes: '1 KB',
  digest: 'd'.repeat(64),
};
const hash = (of: number): string => String(of).padStart(64, 'a');

/** What can be read on each page: not what is drawn beyond its lower edge. */
async function visibleTexts(pdf: Buffer): Promise<string[]> {
  const document = await (await openWithPdfJs(pdf)).promise;
  const pages = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.flatMap((item) => ('str' in item && item.transform[5] > 30 ? [item.str] : [])).join(''));
  }
  return pages;
}

test('a certificate shows every version of a file that has more than fit on a page, since it is the proof of what was destroyed', async () => {
  const versions = Array.from({ length: 130 }, (_, index) => ({
    created_at: AT,
    file_size: index,
    sha256: hash(index),
  }));
  const file = { client: null, rule: 'Books', until: '2027-03-31', file_size: 1, destroyed_at: AT };
  const pdf = await certificatePdf(DESTRUCTION, [
    { ...file, name: 'Books.xlsx', path: 'Old', sha256: hash(1000), versions: JSON.stringify(versions) },
    { ...file, name: 'Last.txt', path: 'Deep / '.repeat(250), sha256: hash(1001), versions: '[]' },
  ]);
  const text = (await visibleTexts(pdf)).join('');
  const missing = [...versions.map(({ sha256 }) => sha256), hash(1000), hash(1001)].filter(
    (sha256) => !text.includes(sha256),
  );
  assert.equal(missing, []);
});

test('the name of a certificate has the day in India that the certificate itself names', () => {
  const name = certificateName({ ...DESTRUCTION, confirmed_at: '2027-12-25T20:00:00.000Z' });
  assert.is(name, 'certificate-of-destruction-7-2027-12-26.pdf');
});

test.run();
