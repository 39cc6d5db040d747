import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BlobMissing } from '#storage/blobs.ts';
import { S3Away } from '#storage/s3/errors.ts';
import type { AppError } from './errors.ts';
import { notFound } from './errors.ts';
import { readFailure, storageFailure } from './storage-failure.ts';

test('a file is not reported as damaged when its storage is unavailable', () => {
  const away = readFailure(
    new Error('not opened', { cause: new S3Away('it said nothing for 15 s') }),
    'Audit.pdf',
  );
  assert.equal([away.status, away.code], [503, 'storage_away']);
  assert.match(away.message, /the file was not sent\. Try again in a minute/);
  const lost = readFailure(new BlobMissing('1'), 'Audit.pdf');
  assert.equal([lost.status, lost.code], [500, 'damaged']);
  assert.match(lost.message, /^"Audit\.pdf" is damaged/);
});

test('a file is not reported as damaged when the server may open no more files, or somebody would restore it from a backup', () => {
  const busy = new Error('not opened', { cause: Object.assign(new Error('open'), { code: 'EMFILE' }) });
  const read = readFailure(busy, 'Audit.pdf');
  assert.equal([read.status, read.code], [503, 'too_many_files']);
  assert.match(read.message, /^Too many files are open.* so the file was not sent\. Try again/);
  assert.is((storageFailure(busy) as AppError).code, 'too_many_files');
});

for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL', '53100'])
  test(`${code} is reported as a full disk, also as the cause of another error, since only more space helps`, () => {
    const full = Object.assign(new Error('the write failed'), { code });
    const failure = storageFailure(new Error('not saved', { cause: full })) as AppError;
    assert.equal([failure.status, failure.code], [503, 'disk_full']);
  });

test('an AppError is returned unchanged', () => {
  const gone = notFound('file');
  assert.is(readFailure(gone), gone);
});

test.run();
