import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createExclusion } from './patterns.ts';

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

test.run();
