import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EMPTY, changedFields, normaliseAll, parse, rebaseValues, normaliseField } from './form.ts';

const test = suite("a client's form");
const filled = { ...EMPTY, name: 'Rao', city: 'Pune', phone: '' };

test('a GSTIN brings its PAN, unless there is one', () => {
  const typed = { ...filled, gstin: '29aaacz0000a1z5 ' };
  assert.is(normaliseField(typed, 'gstin').pan, 'AAACZ0000A');
  assert.is(normaliseField(typed, 'gstin').gstin, '29AAACZ0000A1Z5');
  assert.is(normaliseField({ ...typed, pan: 'AAAPZ0000A' }, 'gstin').pan, 'AAAPZ0000A');
  assert.is(normaliseField({ ...filled, name: ' Rao ' }, 'name').name, ' Rao ');
});

test('Enter in the PAN saves the type that it tells, unless somebody chose one', () => {
  const typed = { ...filled, gstin: '29aaacz0000a1z5' };
  assert.equal(
    [normaliseAll(typed, false).client_type, normaliseAll(typed, false).pan],
    ['Company', 'AAACZ0000A'],
  );
  assert.is(normaliseAll({ ...typed, client_type: 'Firm' }).client_type, 'Firm');
});

test('an edit on top of another keeps both, and says where they differ', () => {
  const mine = { ...filled, city: 'Mumbai' };
  const now = { ...filled, phone: '9840054321', city: 'Nagpur' };
  const both = rebaseValues(mine, filled, now);
  assert.equal([both.city, both.phone], ['Mumbai', '9840054321']);
  assert.equal(changedFields(filled, now), ['phone', 'city']);
});

test('empty fields are sent as none, wrong ones told under their names', () => {
  const good = parse(filled);
  assert.ok('input' in good && good.input.phone === null);
  const bad = parse({ ...filled, name: ' ', pan: 'x' });
  assert.equal('errors' in bad && Object.keys(bad.errors), ['name', 'pan']);
});

test.run();
