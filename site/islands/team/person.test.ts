import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PersonView } from '#server/team/contract.ts';
import { changeOf, fieldsOf } from './person.ts';

const person = (more: Partial<PersonView> = {}): PersonView =>
  ({
    role: 'staff',
    given: [],
    taken: [],
    work_hours: null,
    networks: [],
    daily_downloads: null,
    ...more,
  }) as PersonView;

test('only the edited fields of a person are saved, since another admin may have changed the others meanwhile', () => {
  assert.equal(changeOf(person(), {}), {});
  assert.equal(changeOf(person(), { downloads: '1,000' }), { daily_downloads: 1000 });
  assert.equal(changeOf(person({ networks: ['10.0.0.0/8'] }), { networks: '' }), { networks: [] });
  const hours = { days: [1, 2], from: '10:00', to: '18:00' };
  assert.equal(changeOf(person({ work_hours: hours }), { to: '17:00' }), {
    work_hours: { ...hours, to: '17:00' },
  });
});

test('a ticked permission is added to those that the person has by now', () => {
  const [first, second] = fieldsOf(person()).allowed as [never, never];
  const latest = person({ taken: [first] });
  assert.equal(
    changeOf(latest, { permissions: { [second]: false } }).taken?.toSorted(),
    [first, second].toSorted(),
  );
});

test('another role brings its own permissions, which are then adjusted', () => {
  const [first] = fieldsOf(person()).allowed as [never];
  assert.equal(changeOf(person({ taken: [first] }), { role: 'manager', permissions: {} }), {
    role: 'manager',
    given: [],
    taken: [],
  });
  assert.equal(changeOf(person(), { role: 'admin', permissions: {} }), { role: 'admin' });
});

test.run();
