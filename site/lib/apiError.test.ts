import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError, messageOf } from './apiError.ts';

test('without an answer it says why, and what the server said is said as it stands', () => {
  const lost = new ApiError(0, 'network', 'Network error');
  assert.is(
    messageOf(lost, 'Failed to fetch documents'),
    'Failed to fetch documents. The server does not answer.',
  );
  assert.is(
    messageOf(lost, 'Failed to create folder. Please try again.'),
    'Failed to create folder. Please try again. The server does not answer.',
  );
  assert.is(
    messageOf(new ApiError(422, 'invalid', 'Please enter a folder name'), 'Failed'),
    'Please enter a folder name',
  );
  assert.is(messageOf(new Error('x'), 'Failed'), 'Failed');
});

test.run();
