import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AppError } from './errors.ts';
import { decodeCursor, encodeCursor, text, whole } from './cursor.ts';

test('a cursor is restored exactly, whatever its texts contain', () => {
  const place = ['name', '"कर\u0001', 7] as const;
  assert.equal(decodeCursor(encodeCursor(place), ['name', text, whole]), place);
});

test('a cursor of another list is refused', () => {
  const kinds = ['name', text, whole] as const;
  for (const parts of [
    ['size', 'a', 1],
    ['name', 'a'],
    ['name', 'a', 1, 2],
    ['name', 1, 1],
    ['name', 'a', 1.5],
  ])
    assert.throws(
      () => decodeCursor(encodeCursor(parts), kinds),
      (error: unknown) => error instanceof AppError,
    );
  for (const cursor of ['', '!', 'bm90IEpTT04', Buffer.from('{"length":3}').toString('base64url')])
    assert.throws(
      () => decodeCursor(cursor, kinds),
      (error: unknown) => error instanceof AppError,
    );
});

test.run();
