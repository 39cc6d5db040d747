import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createExclusion, createPlaces } from './patterns.ts';

test('temporary files of programs are excluded by default', () => {
  const out = createExclusion([]);
  for (const name of ['~$Ledger.xlsx', 'scan.TMP', 'Form16.pdf.crdownload', '.DS_Store', 'Thumbs.db'])
    assert.ok(out('', name), name);
  for (const name of ['Ledger.xlsx', 'tmp.pdf', 'part 1.pdf', 'report~$.pdf'])
    assert.not.ok(out('', name), name);
});

test('a pattern without a slash matches names, one with a slash the path below the folder', () => {
  const out = createExclusion(['*.bak', 'Old/*', 'draft ?.docx', 'a/**/z.pdf']);
  assert.ok(out('any/where', 'Tally.BAK'));
  assert.ok(out('Old', 'x.pdf'));
  assert.not.ok(out('Old/2024', 'x.pdf'), '* stays in one folder');
  assert.ok(out('a/b/c', 'z.pdf'));
  assert.ok(out('', 'Draft 1.docx'));
  assert.not.ok(out('', 'Draft 12.docx'));
  assert.not.ok(out('', 'x.pdf'));
});

test('a pattern is not a regular expression: brackets and dots are literal', () => {
  const out = createExclusion(['(old).[x]*']);
  assert.ok(out('', '(old).[x].pdf'));
  assert.not.ok(out('', 'old.x.pdf'));
});

test('the folder of moved files is not scanned again, but a sub-folder of that name is', () => {
  const out = createExclusion([]);
  assert.ok(out('', 'Uploaded'));
  assert.not.ok(out('Clients', 'Uploaded'));
});

test('a file has a place in a watched folder if a scan of that would find it', () => {
  const at = (path: string, sub_folders: 'keep' | 'flat' | 'none' = 'keep') =>
    createPlaces({ path: join('/home/asha/Documents'), sub_folders, leave_out: ['Private/*'] })(
      join('/home/asha', path),
    );
  assert.is(at('Documents/bill.pdf'), '');
  assert.is(at('Documents/GST/2025-26/GSTR-1.pdf'), 'GST/2025-26');
  assert.is(at('Documents/GST/2025-26/GSTR-1.pdf', 'flat'), '');
  assert.is(at('Documents/GST/2025-26/GSTR-1.pdf', 'none'), null);
  assert.is(at('Documents/bill.pdf', 'none'), '');
  for (const path of [
    'Private/will.pdf',
    'Private/Family/will.pdf',
    'Uploaded/2026-11/bill.pdf',
    '.git/x.pdf',
  ])
    assert.is(at(`Documents/${path}`), null, path);
  for (const path of ['bill.pdf', 'Documents 2/bill.pdf']) assert.is(at(path), null, path);
});

test.run();
