import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  EMPTY,
  changedFields,
  normaliseAll,
  parse,
  rebaseValues,
  normaliseField,
  shownValue,
} from './form.ts';

const test = suite("a client's form");
const filled = { ...EMPTY, name: 'Rao', city: 'Pune', phone: '' };

test('a typed GSTIN fills in the PAN that it contains, unless the PAN is filled in already', () => {
  const typed = { ...filled, gstin: '29aaacz0000a1z5 ' };
  assert.is(normaliseField(typed, 'gstin').pan, 'AAACZ0000A');
  assert.is(normaliseField(typed, 'gstin').gstin, '29AAACZ0000A1Z5');
  assert.is(normaliseField({ ...typed, pan: 'AAAPZ0000A' }, 'gstin').pan, 'AAAPZ0000A');
  assert.is(normaliseField({ ...filled, name: ' Rao ' }, 'name').name, ' Rao ');
});

test('the client type follows the PAN and an LLP’s name also when Enter submits the form, unless the user chose a type', () => {
  const typed = { ...filled, gstin: '29aaacz0000a1z5' };
  assert.equal(
    [normaliseAll(typed, false).client_type, normaliseAll(typed, false).pan],
    ['Company', 'AAACZ0000A'],
  );
  assert.is(normaliseAll({ ...typed, client_type: 'Firm' }).client_type, 'Firm');
  const firm = { ...filled, pan: 'AAAFZ0000A' };
  assert.is(normaliseField(firm, 'pan', false).client_type, 'Firm');
  assert.is(normaliseField({ ...firm, name: 'Apte LLP' }, 'pan', false).client_type, 'LLP');
  assert.is(normaliseField({ ...firm, name: 'Apte LLP ' }, 'name', false).client_type, 'LLP');
});

test('unsaved edits are merged with the changes of a colleague, and the changed fields are named', () => {
  const mine = { ...filled, city: 'Mumbai' };
  const now = { ...filled, phone: '9840054321', city: 'Nagpur' };
  const both = rebaseValues(mine, filled, now);
  assert.equal([both.city, both.phone], ['Mumbai', '9840054321']);
  assert.equal(changedFields(filled, now), ['phone', 'city']);
});

test('empty fields are sent as null, and errors are reported by field', () => {
  const good = parse(filled);
  assert.ok('input' in good && good.input.phone === null);
  const bad = parse({ ...filled, name: ' ', pan: 'x' });
  assert.equal('errors' in bad && Object.keys(bad.errors), ['name', 'pan']);
});

test('a date and a language that a colleague has changed are shown as elsewhere, and not as they are stored', () => {
  assert.is(shownValue('born_on', '1990-04-01'), 'Apr 1, 1990');
  assert.is(shownValue('born_on', ''), '');
  assert.is(shownValue('language', 'hi'), 'हिन्दी');
  assert.is(shownValue('city', 'Salem'), 'Salem');
});

test.run();
