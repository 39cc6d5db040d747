import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { IdentifiedClient } from '#server/clients/contract.ts';
import type { KnownFields } from '#server/fields/contract.ts';
import { clientIndex } from './clients.ts';
import { isRegisteredName, nameWords } from './party-names.ts';

const test = suite('whose a document is');

const client = (id: number, name: string, more: Partial<IdentifiedClient> = {}): IdentifiedClient => ({
  id,
  name,
  pan: null,
  gstin: null,
  tan: null,
  cin: null,
  email: null,
  phone: null,
  address: null,
  born_on: null,
  ...more,
});
const steel = client(1, 'Sharma Steel Private Limited', {
  pan: 'AAACZ0000A',
  cin: 'U00000MH2020PTC000000',
});
const meera = client(2, 'Meera Rao', { pan: 'AAAPZ0000A' });
const traders = client(3, 'Sharma Traders');
const clientsIn = clientIndex([steel, meera, traders]);

const known = (type: string, said: Record<string, string>, sure = true, head = ''): KnownFields => ({
  type,
  typeSure: true,
  year: 2025,
  period: null,
  head,
  fields: Object.entries(said).map(([id, value]) => ({
    id,
    key: id.replace(/~\d+$/, ''),
    kind: /pan|gstin|tan|cin/.test(id) ? 'identifier' : /date/.test(id) ? 'date' : 'text',
    value,
    sure,
    page: 1,
  })),
});
const told = (...document: Parameters<typeof known>) =>
  clientsIn(known(...document)).map(({ id, by }) => `${id} ${by}`);

test('a name is the same however an office writes it', () => {
  assert.is(nameWords('M/s. Sharma Steel (P) Ltd.'), 'sharma steel private limited');
  assert.is(nameWords('SHARMA STEEL PVT LTD'), 'sharma steel private limited');
  assert.is(nameWords('The Rao & Sons L.L.P.'), 'rao sons llp');
  assert.is(nameWords('Smt. Meera Rao'), 'meera rao');
  assert.is(nameWords('श्रीमती मीरा'), 'श्रीमती मीरा');
  assert.equal(
    ['sharma steel private limited', 'rao sons llp', 'sharma traders', 'limited'].map(isRegisteredName),
    [true, true, false, false],
  );
});

test('the full name of a company is sure, since the register takes no two of one name; that of a shop or a person is not', () => {
  assert.equal(told('bank_statement', { holder_name: 'M/S SHARMA STEEL PVT LTD' }), ['1 registered_name']);
  assert.equal(told('bank_statement', { holder_name: 'SHARMA TRADERS' }), ['3 name']);
  assert.equal(told('bank_statement', { holder_name: 'MEERA RAO' }), ['2 name']);
  assert.equal(
    told('bank_statement', { holder_name: 'SHARMA STEEL PVT LTD' }, false),
    ['1 name'],
    'read with doubts',
  );
  const twice = clientIndex([steel, client(4, 'Sharma Steel Pvt. Ltd.')]);
  assert.equal(
    twice(known('bank_statement', { holder_name: steel.name })).map(({ id, by }) => `${id} ${by}`),
    ['1 name', '4 name'],
    'whoever is a client twice',
  );
});

test('a name with the number of somebody else is somebody else, or a father’s return would go to the son', () => {
  assert.equal(told('itr_v', { name: 'Meera Rao', pan: 'ZZZPZ0000Z' }), []);
  assert.equal(told('itr_v', { name: 'Meera Rao', pan: 'AAAPZ0000A' }), ['2 pan']);
  assert.equal(told('invoice', { supplier_name: steel.name, supplier_gstin: '27AAACZ0000B1Z5' }), []);
  assert.equal(told('balance_sheet', { name: steel.name, cin: 'U00000MH2020PTC000001' }), []);
  assert.equal(
    told('bank_statement', { holder_name: steel.name, gstin: '27AAACB0000B1Z5' }),
    ['1 registered_name'],
    'the number in the footer is the bank’s',
  );
});

test('a company is known by its CIN, and by whom a cheque is paid to, but not by who signs as auditor or by its bank', () => {
  assert.equal(told('balance_sheet', { cin: 'U00000MH2020PTC000000' }), ['1 cin']);
  assert.equal(told('cheque', { pay_to: 'Sharma Traders', bank_name: 'Meera Rao' }), ['3 name']);
  assert.equal(told('audit_report', { firm_name: 'Sharma Traders', name: 'Somebody' }), []);
  assert.equal(told('deed', { firm_name: 'Sharma Traders' }), ['3 name']);
});

test('where a number is of one client and a registered name of another, somebody has to choose', () => {
  assert.equal(told('payslip', { employer_name: steel.name, employee_pan: 'AAAPZ0000A' }), [
    '2 pan',
    '1 registered_name',
  ]);
});

const letter = (head: string, said: Record<string, string> = {}, type = 'deed') =>
  told(type, said, true, head);

test('who is named in its text alone is suggested, where no field says whose it is', () => {
  const deed = 'PARTNERSHIP DEED between Smt. Meera Rao, wife of Anil Rao, and Prakash Iyer';
  assert.equal(letter(deed), ['2 name']);
  assert.equal(letter(deed, { pan: 'ZZZPZ0000Z' }), [], 'somebody else’s number stands there');
  assert.equal(letter('Paid to Meera Rao', { holder_name: 'Somebody' }, 'bank_statement'), []);
  assert.equal(letter('Paid to Meera Raoji'), [], 'a part of a word');
  assert.equal(letter('between Meera Rao and SHARMA STEEL (P) LTD. of Pune'), ['2 name', '1 name']);
  const long = clientIndex([traders, client(5, 'Sharma Traders Exports')]);
  assert.equal(
    long(known('deed', {}, true, 'with Sharma Traders Exports of Pune')).map(({ id }) => id),
    [5],
    'the longer name is the one that stands there',
  );
  const prakash = clientIndex([client(6, 'Prakash')]);
  assert.equal(prakash(known('deed', {}, true, 'Prakash Iyer')), [], 'a first name is anybody’s');
});

test('a name with the same e-mail address, phone, address or day of birth is sure; any of them alone is not', () => {
  const anil = client(7, 'Anil Das', {
    email: 'anil@das.example',
    phone: '9000000001',
    address: '14, Station Road, Nagpur - 440010, Maharashtra',
    born_on: '1980-04-07',
  });
  const find = clientIndex([anil, client(8, 'Anil Das', { phone: '9000000002' })]);
  const by = (head: string, said: Record<string, string> = { holder_name: 'ANIL DAS' }) =>
    find(known('bank_statement', said, true, head)).map((one) => `${one.id} ${one.by}`);
  assert.equal(by(''), ['7 name', '8 name']);
  assert.equal(by('Email: ANIL@das.example.'), ['7 name_and_more']);
  assert.equal(by('Mobile +91 90000 00002'), ['8 name_and_more']);
  assert.equal(by('14 Station Rd Nagpur, Station Road 440010 (Maharashtra)'), ['7 name_and_more']);
  assert.equal(by('15, Station Road, Nagpur - 440010, Maharashtra'), ['7 name', '8 name'], 'a neighbour');
  assert.equal(by('', { holder_name: 'ANIL DAS', date_of_birth: '1980-04-07' }), ['7 name_and_more']);
  assert.equal(by('Email: anil@das.example', { holder_name: 'Somebody' }), []);
  assert.equal(by('notanil@das.example'), ['7 name', '8 name']);
});

test.run();
