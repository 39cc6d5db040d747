import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor, Permission } from './contract.ts';
import { initials, PERMISSIONS } from './contract.ts';
import { may, mayRenameFirm, permissionsOf } from './policy.ts';

const member = (...permissions: Permission[]): Actor => ({
  userId: 2,
  firmId: 1,
  sessionId: 3,
  role: 'member',
  permissions,
});

test('an admin may do everything, whatever the row says', () => {
  assert.equal(permissionsOf('admin', []), PERMISSIONS);
});

test('a member may do what was granted, and nothing that does not exist', () => {
  assert.equal(permissionsOf('member', ['documents.read', 'everything', '__proto__']), ['documents.read']);
  assert.equal(permissionsOf('member', []), []);
});

test('a permission is the whole word', () => {
  const actor = member('documents.read');
  assert.is(may(actor, 'documents.read'), true);
  assert.is(may(actor, 'documents.write'), false);
});

test('the firm is named by those who manage its team', () => {
  assert.is(mayRenameFirm(member('documents.write')), false);
  assert.is(mayRenameFirm(member('team.manage')), true);
});

test('initials are the first letters of at most two words', () => {
  assert.is(initials('Asha Rao'), 'AR');
  assert.is(initials('asha'), 'A');
  assert.is(initials('Asha R. Rao'), 'AR');
  assert.is(initials(' '), 'CA');
  assert.is(initials('अशोक राव'), 'अर');
});

test.run();
