import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALLOWED_EXTENSIONS } from '#server/documents/contract.ts';
import { formatAmount, formatPaise, formatRupees } from '#server/text/rupees.ts';
import { fileGroup } from './fileGroup.ts';
import { formatCount, formatDate, relativeTime } from './format.ts';
import { splitMiddle } from './truncateMiddle.ts';

const test = suite('formatting');
const NOW = Date.parse('2026-11-20T10:00:00Z');
const ago = (hours: number) => relativeTime(new Date(NOW - hours * 3_600_000).toISOString(), NOW);

test('a date is formatted in the time zone of India, so that server and browser agree', () => {
  assert.is(formatDate('2026-11-19T20:00:00Z'), 'Nov 20, 2026');
  assert.is(formatDate(null), '');
});

test('times are relative until they are a week old', () => {
  assert.is(ago(0.9), 'Just now');
  assert.is(ago(5.5), '5h ago');
  assert.is(ago(50), '2d ago');
  assert.is(ago(168), 'Nov 13, 2026');
  assert.is(relativeTime(null), 'Unknown');
});

test('digits are grouped as in India', () => {
  assert.is(formatCount(1234567), '12,34,567');
  assert.is(formatRupees(199999), '₹1,99,999');
  assert.is(formatPaise(12345670), '₹1,23,456.70');
  assert.is(formatAmount(12345670), '1,23,456.70');
});

test('a shortened name keeps its year and extension, and is not cut inside a letter', () => {
  const [head, tail] = splitMiddle('Sharma Traders balance sheet 2024-25.pdf');
  assert.is(tail, '2024-25.pdf');
  assert.is(head + tail, 'Sharma Traders balance sheet 2024-25.pdf');
  assert.equal(splitMiddle('a.pdf'), ['a.pdf', '']);
  const [, hindi] = splitMiddle('शर्मा ट्रेडर्स का खाता');
  assert.not.match(hindi, /^\p{M}/u);
});

test('every file type that can be uploaded belongs to a group with an icon', () => {
  for (const extension of ALLOWED_EXTENSIONS) assert.is.not(fileGroup(extension), 'other', extension);
  assert.is(fileGroup(null), 'folder');
  assert.is(fileGroup('exe'), 'other');
});

test.run();
