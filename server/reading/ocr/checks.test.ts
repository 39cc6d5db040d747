import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { repairGstin } from './checks.ts';

test('a misread GSTIN is repaired only to the form of an ordinary one, because other texts may pass the check by chance', () => {
  assert.is(repairGstin(['27AAAPZOOOOQIZL']), '27AAAPZ0000Q1ZL');
  assert.is(repairGstin(['27AAAPZ0000Q12L', '27AAAPZ0000Q1ZL']), '27AAAPZ0000Q1ZL');
  assert.is(repairGstin(['27AAAPZ0000Q1Z4']), null, 'with the letter I before Z it would pass');
});

test.run();
