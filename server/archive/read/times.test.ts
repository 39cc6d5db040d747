import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modifiedAt } from './times.ts';

const test = suite('the times of an archive');
const none = new Map<number, Buffer>();
const date = ((2025 - 1980) << 9) | (4 << 5) | 13;
const time = (17 << 11) | (5 << 5) | 29;

test('a time without a zone is shown as the archive states it, since nobody knows its zone', () => {
  assert.is(modifiedAt({ date, time, extra: none }), '2025-04-13T17:05:58');
});

test('a time in UTC takes precedence over one without a zone', () => {
  const field = Buffer.alloc(5, 1);
  field.writeInt32LE(Date.UTC(2024, 1, 29, 6, 30) / 1000, 1);
  assert.is(modifiedAt({ date, time, extra: new Map([[0x5455, field]]) }), '2024-02-29T06:30:00.000Z');
});

test('zeros and impossible dates count as no time', () => {
  assert.is(modifiedAt({ date: 0, time: 0, extra: none }), null);
  assert.is(modifiedAt({ date, time: 0xffff, extra: none }), null);
});

test.run();
