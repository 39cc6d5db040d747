import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError, messageOf } from './apiError.ts';

test('without a response the message says that the server does not answer; a message of the server is shown unchanged', () => {
  const noResponse = new ApiError(0, 'network', 'Network error');
  assert.is(
    messageOf(noResponse, 'Failed to fetch documents'),
    'Failed to fetch documents. The server does not answer.',
  );
  assert.is(
    messageOf(noResponse, 'Failed to create folder. Please try again.'),
    'Failed to create folder. Please try again. The server does not answer.',
  );
  assert.is(
    messageOf(new ApiError(422, 'invalid', 'Please enter a folder name'), 'Failed'),
    'Please enter a folder name',
  );
  assert.is(messageOf(new Error('x'), 'Failed'), 'Failed');
});

test.run();
