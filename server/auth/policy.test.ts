import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { Permission, Role } from '#server/permissions.ts';
import { PERMISSIONS, ROLE_PERMISSIONS, ROLES } from '#server/permissions.ts';
import { initials } from './contract.ts';
import { testActor } from '../testing/actor.ts';
import { may } from '#server/actor.ts';
import { mayRenameFirm, permissionsOf } from './policy.ts';

const member = (...permissions: Permission[]): Actor => testActor({ role: 'staff', permissions });

test('an admin has all permissions, whatever the user’s row says', () => {
  assert.equal(permissionsOf('admin', []), PERMISSIONS);
});

test('every role has the permissions of its set and all those of the next lower role', () => {
  for (const [index, role] of ROLES.entries()) {
    const allowed = permissionsOf(role, []);
    assert.equal(allowed.toSorted(), ROLE_PERMISSIONS[role].toSorted(), role);
    const lower = ROLES[index + 1];
    if (lower)
      assert.ok(
        ROLE_PERMISSIONS[lower].every((one) => allowed.includes(one)),
        `${role} and ${lower}`,
      );
  }
});

test('only an admin manages the team and the plan', () => {
  for (const role of ROLES.slice(1))
    for (const permission of ['team.manage', 'billing.manage'] as const)
      assert.not(permissionsOf(role, []).includes(permission), `${role} ${permission}`);
});

test('admins and managers may seal documents and place holds, other roles may not', () => {
  const holding = ROLES.filter((role) => permissionsOf(role, []).includes('retention.manage'));
  assert.equal(holding, ['admin', 'manager']);
});

test('granted permissions are added to the role’s, revoked ones are removed, and unknown ones are ignored', () => {
  assert.equal(permissionsOf('viewer', ['share', 'everything', '__proto__'], ['documents.download']), [
    'documents.read',
    'share',
  ]);
  assert.equal(permissionsOf('viewer', ['share'], ['share', 'documents.download']), ['documents.read']);
});

test('no permission can be revoked from an admin, since a firm could lock itself out', () => {
  assert.equal(permissionsOf('admin', [], ['team.manage']), PERMISSIONS);
});

test('an unknown role has only the permissions that were granted', () => {
  assert.equal(permissionsOf('constructor' as Role, ['documents.read']), ['documents.read']);
});

test('a user without a seat may only read and download documents; an admin without one may also manage plan and team', () => {
  assert.equal(permissionsOf('staff', ['share'], [], { seated: false }), [
    'documents.read',
    'documents.download',
  ]);
  const admin = permissionsOf('admin', [], [], { seated: false });
  assert.ok(admin.includes('billing.manage') && admin.includes('team.manage'));
  for (const writing of ['documents.write', 'documents.delete', 'clients.write', 'share'] as const)
    assert.not(admin.includes(writing), writing);
});

test('having documents.read does not give documents.write', () => {
  const actor = member('documents.read');
  assert.is(may(actor, 'documents.read'), true);
  assert.is(may(actor, 'documents.write'), false);
});

test('only users who manage the team may rename the firm', () => {
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
