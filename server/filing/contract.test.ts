import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { fileDocuments } from './contract.ts';

const test = suite('what a request to file documents may say');

const request = (name: string) => ({
  files: [{ id: 1, client_id: 1, folder: [], name, seen: { name: 'scan.pdf', parent_id: null } }],
});

test('a name that no file can have is refused with the reason, as when renaming, and never changed silently', () => {
  const refused = v.safeParse(fileDocuments, request('GSTR-3B: bad/name?.pdf'));
  assert.is(refused.issues?.[0].message, String.raw`A name cannot contain any of these: / \ : * ? " < > |`);
  assert.is(v.safeParse(fileDocuments, request('CON.pdf')).success, false);
  assert.is(v.safeParse(fileDocuments, request('GSTR-3B of Asha’s.pdf')).success, true);
});

test.run();
