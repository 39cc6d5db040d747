import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BlobMissing } from '#storage/blobs.ts';
import { S3Away } from '#storage/s3/errors.ts';
import { notFound } from './errors.ts';
import { readFailure } from './storage-failure.ts';

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

test('an AppError is returned unchanged', () => {
  const gone = notFound('file');
  assert.is(readFailure(gone), gone);
});

test.run();
