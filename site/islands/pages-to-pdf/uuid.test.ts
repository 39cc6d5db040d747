import { test } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { uploadKey } from '#server/uploads/contract.ts';
import { uuid } from './uuid.ts';

test('a UUID is one that the server takes as the key of an upload, and another each time', () => {
  const [first, second] = [uuid(), uuid()];
  assert.is(v.parse(uploadKey, first), first);
  assert.match(first, /^.{14}4.{4}8/);
  assert.is.not(first, second);
});

test.run();
