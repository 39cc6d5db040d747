import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { regionOf } from './region.ts';

const test = suite('the part of a page to show for a value');

const A4 = { width: 595, height: 842 };
const PHONE = { width: 356, height: 240 };

test('what stands before a value is shown rather than what follows it, since its label is there', () => {
  const right = regionOf([3900, 1500, 900, 100], A4, PHONE);
  assert.ok(
    right.left <= 70 && right.left + right.width >= 480,
    'from the label at the left margin to the value',
  );
  const left = regionOf([500, 1500, 900, 100], A4, PHONE);
  assert.is(left.left, 0);
  const full = regionOf([900, 1500, 900, 100], A4, { width: 832, height: 240 });
  assert.is(full.left, 0, 'nor is the start of a line cut on a large screen');
});

test('the region stays within the page', () => {
  const { left, top, width, height } = regionOf([5500, 8300, 400, 100], A4, PHONE);
  assert.ok(left >= 0 && left + width <= A4.width && top >= 0 && top + height <= A4.height);
});

test.run();
