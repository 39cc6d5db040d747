import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_FILE_BYTES } from '#server/documents/contract.ts';
import { isSystemFile, problems, refusal } from './check.ts';

const test = suite('checks before an upload');

test('the first refused file is reported with all its reasons', () => {
  const files = [
    { name: 'Form 16.PDF', size: 10 },
    { name: 'setup.exe', size: MAX_FILE_BYTES + 1 },
    { name: 'other.dll', size: 1 },
  ];
  assert.is(refusal(files), 'setup.exe: File size cannot exceed 5GB, File type "exe" is not supported');
});

test('without files the message asks to choose some', () => {
  assert.is(refusal([]), 'Please select files to upload');
});

test('exactly 5 GB is allowed', () => {
  assert.equal(problems({ name: 'scan.tiff', size: MAX_FILE_BYTES }), []);
  assert.is(refusal([{ name: 'विवरण.pdf', size: 0 }]), null);
});

test('a file name without an extension is refused as an unsupported type', () => {
  assert.equal(problems({ name: 'README', size: 1 }), ['File type "" is not supported']);
});

test('system files are recognised in any folder', () => {
  assert.ok(isSystemFile(['GST', 'Thumbs.db']));
  assert.ok(isSystemFile(['__MACOSX', 'a.pdf']));
  assert.not(isSystemFile(['GST', 'a.pdf']));
});

test.run();
