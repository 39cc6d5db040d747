import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EMPTY, differing, entered, read, rebased, settled } from './form.ts';

const test = suite("a client's form");
const filled = { ...EMPTY, name: 'Rao', city: 'Pune', phone: '' };

test('a GSTIN brings its PAN, unless there is one', () => {
  const typed = { ...filled, gstin: '29aaacz0000a1z5 ' };
  assert.is(settled(typed, 'gstin').pan, 'AAACZ0000A');
  assert.is(settled(typed, 'gstin').gstin, '29AAACZ0000A1Z5');
  assert.is(settled({ ...typed, pan: 'AAAPZ0000A' }, 'gstin').pan, 'AAAPZ0000A');
  assert.is(settled({ ...filled, name: ' Rao ' }, 'name').name, ' Rao ');
});

test('Enter in the PAN saves the type that it tells, unless somebody chose one', () => {
  const typed = { ...filled, gstin: '29aaacz0000a1z5' };
  assert.equal([entered(typed, false).client_type, entered(typed, false).pan], ['Company', 'AAACZ0000A']);
  assert.is(entered({ ...typed, client_type: 'Firm' }).client_type, 'Firm');
});

test('an edit on top of another keeps both, and says where they differ', () => {
  const mine = { ...filled, city: 'Mumbai' };
  const now = { ...filled, phone: '9840054321', city: 'Nagpur' };
  const both = rebased(mine, filled, now);
  assert.equal([both.city, both.phone], ['Mumbai', '9840054321']);
  assert.equal(differing(filled, now), ['phone', 'city']);
});

test('empty fields are sent as none, wrong ones told under their names', () => {
  const good = read(filled);
  assert.ok('input' in good && good.input.phone === null);
  const bad = read({ ...filled, name: ' ', pan: 'x' });
  assert.equal('errors' in bad && Object.keys(bad.errors), ['name', 'pan']);
});

test.run();
