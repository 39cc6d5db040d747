import { test } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { changeRequest, makeRequests } from './contract.ts';

test('a document that is asked for twice is refused by its name, or the client would be asked for it twice', () => {
  const faultOf = (rows: string[]) =>
    v.safeParse(makeRequests, { title: 'Audit', client_ids: [1], rows }).issues?.[0].message;
  assert.is(faultOf(['Form 16', 'PAN', 'form 16 ']), '“Form 16” is in the list twice');
  assert.is(faultOf(['Form 16', 'Form 16A']), undefined);
  const change = { title: 'Audit', email: '' };
  const rows = [{ id: 1, name: 'PAN' }];
  const before = v.safeParse(changeRequest, { ...change, rows: [...rows, { id: 2, name: 'PAN' }] });
  assert.ok(before.success, 'an earlier request can still be changed');
  assert.not.ok(v.safeParse(changeRequest, { ...change, rows: [...rows, { name: 'PAN' }] }).success);
});

test('far too many documents are refused as fast as they are read, or one request would stop the server', () => {
  const rows = Array.from({ length: 150_000 }, (_, index) => String(index));
  const { issues } = v.safeParse(makeRequests, { title: 'Audit', client_ids: [1], rows });
  assert.is(issues?.[0].message, 'Ask for at most 100 documents at once');
});

test.run();
