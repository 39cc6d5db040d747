import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EMPTY, mapServerErrors, stepErrors, formatTyped } from './registration.ts';

const test = suite('the registration wizard');

const GOOD = {
  name: 'Asha Rao',
  email: 'asha@rao.in',
  ca_license_number: 'MRN123456',
  phone: '9876543210',
  firm_name: 'Rao & Co',
  password: 'correct horse',
  password_confirmation: 'correct horse',
  terms_accepted: true,
};

test('an empty step reports every required field, with the messages of the server', () => {
  assert.equal(stepErrors(0, EMPTY), { name: 'Name is required', email: 'Email is required' });
  assert.equal(stepErrors(1, EMPTY), {
    ca_license_number: 'License required',
    phone: 'Phone is required',
    firm_name: 'Firm name is required',
  });
  assert.equal(stepErrors(2, EMPTY), { password: 'Password is required' });
  assert.equal(stepErrors(3, EMPTY), { terms_accepted: 'Accept terms to continue' });
});

test('a valid form passes every step', () => {
  for (const step of [0, 1, 2, 3]) assert.equal(stepErrors(step, GOOD), {});
});

test('an invalid value has a message that says what is wrong', () => {
  assert.is(stepErrors(0, { ...GOOD, email: 'asha@rao' }).email, 'Invalid email');
  assert.is(stepErrors(1, { ...GOOD, phone: '98765' }).phone, 'Phone must be 10 digits');
  assert.is(stepErrors(2, { ...GOOD, password: 'short' }).password, 'Password must be 8+ characters');
  assert.is(stepErrors(2, { ...GOOD, password: '😀🎃🦊🐝' }).password, 'Password must be 8+ characters');
  const differ = stepErrors(2, { ...GOOD, password_confirmation: 'correct house' });
  assert.equal(differ, { password_confirmation: 'Passwords do not match' });
});

test('typed characters that a field does not allow are dropped, in any script', () => {
  assert.is(formatTyped('name', 'Asha 9 Rao!'), 'Asha  Rao');
  assert.is(formatTyped('name', 'आशा राव'), 'आशा राव');
  assert.is(formatTyped('ca_license_number', 'mrn-12 34'), 'MRN1234');
  assert.is(formatTyped('firm_name', 'Rao & Co.'), 'Rao & Co.');
});

test('a pasted phone number loses its prefix, because its first ten digits would be another number', () => {
  assert.is(formatTyped('phone', '+91 98765 43210'), '9876543210');
  assert.is(formatTyped('phone', '098765-43210'), '9876543210');
  assert.is(formatTyped('phone', '98765432109', '9876543210'), '9876543210');
  assert.is(formatTyped('phone', '91234'), '91234');
});

test('errors of the server open the first step with an error, and an error of no field opens none', () => {
  const placed = mapServerErrors({ phone: ['Phone must be 10 digits'], email: ['Taken', 'Again'] });
  assert.equal(placed, { step: 0, errors: { email: 'Taken', phone: 'Phone must be 10 digits' } });
  assert.is(mapServerErrors({ body: ['Broken'] }), null);
});

test.run();
