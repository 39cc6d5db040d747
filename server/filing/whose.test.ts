import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { IdentifiedClient } from '#server/clients/contract.ts';
import type { KnownFields } from '#server/fields/contract.ts';
import { recognise } from '#server/recognition/recognise.ts';
import { clientIndex, newClientOf } from './clients.ts';
import { isRegisteredName, nameWords } from './party-names.ts';

const test = suite('the clients that a document may belong to');

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

/** @param values by key; a key with a number, such as `tan~2`, only stands somewhere in the text. */
const known = (type: string, values: Record<string, string>, sure = true, head = ''): KnownFields => ({
  type,
  typeSure: true,
  year: 2025,
  period: null,
  head,
  fields: Object.entries(values).map(([id, value]) => ({
    id,
    key: id.replace(/~\d+$/, ''),
    kind: /pan|gstin|tan|cin|llpin/.test(id) ? 'identifier' : /date/.test(id) ? 'date' : 'text',
    value,
    sure,
    page: 1,
    labelled: !id.includes('~'),
  })),
});
const matchesOf = (...document: Parameters<typeof known>) =>
  clientsIn(known(...document)).map(({ id, by }) => `${id} ${by}`);

test('a party name has one normal form however it is written', () => {
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

test('the registered name of a company is certain, since no two companies share one; the name of a shop or a person is not', () => {
  assert.equal(matchesOf('bank_statement', { holder_name: 'M/S SHARMA STEEL PVT LTD' }), [
    '1 registered_name',
  ]);
  assert.equal(matchesOf('bank_statement', { holder_name: 'SHARMA TRADERS' }), ['3 name']);
  assert.equal(matchesOf('bank_statement', { holder_name: 'MEERA RAO' }), ['2 name']);
  assert.equal(
    matchesOf('bank_statement', { holder_name: 'SHARMA STEEL PVT LTD' }, false),
    ['1 name'],
    'read with doubts',
  );
  const twice = clientIndex([steel, client(4, 'Sharma Steel Pvt. Ltd.')]);
  assert.equal(
    twice(known('bank_statement', { holder_name: steel.name })).map(({ id, by }) => `${id} ${by}`),
    ['1 name', '4 name'],
    'two clients have this name',
  );
});

test('a name with an identifier of somebody else does not match, or a father’s return would go to a son of the same name', () => {
  assert.equal(matchesOf('itr_v', { name: 'Meera Rao', pan: 'ZZZPZ0000Z' }), []);
  assert.equal(matchesOf('itr_v', { name: 'Meera Rao', pan: 'AAAPZ0000A' }), ['2 pan']);
  assert.equal(matchesOf('invoice', { supplier_name: steel.name, supplier_gstin: '27AAACZ0000B1Z5' }), []);
  assert.equal(matchesOf('balance_sheet', { name: steel.name, cin: 'U00000MH2020PTC000001' }), []);
  assert.equal(
    matchesOf('bank_statement', { holder_name: steel.name, gstin: '27AAACB0000B1Z5' }),
    ['1 registered_name'],
    'the number in the footer is the bank’s',
  );
});

test('a company matches by its CIN or as payee of a cheque, but not as auditor or bank', () => {
  assert.equal(matchesOf('balance_sheet', { cin: 'U00000MH2020PTC000000' }), ['1 cin']);
  assert.equal(matchesOf('cheque', { pay_to: 'Sharma Traders', bank_name: 'Meera Rao' }), ['3 name']);
  assert.equal(matchesOf('audit_report', { firm_name: 'Sharma Traders', name: 'Somebody' }), []);
  assert.equal(matchesOf('deed', { firm_name: 'Sharma Traders' }), ['3 name']);
});

test('an identifier of one client and the registered name of another both match, so that a user chooses', () => {
  assert.equal(matchesOf('payslip', { employer_name: steel.name, employee_pan: 'AAAPZ0000A' }), [
    '2 pan',
    '1 registered_name',
  ]);
});

test('a statement of one taxpayer is of nobody whom it lists, or a stranger’s AIS would go to the employer in it', () => {
  const employer = client(11, 'Sharma Steel Private Limited', {
    pan: 'AAACS1234C',
    tan: 'PNES12345A',
    gstin: '27AAACS1234C1Z5',
  });
  const of = clientIndex([employer, meera, client(12, 'Sunita Kulkarni')]);
  const matches = (...document: Parameters<typeof known>) =>
    of(known(...document)).map(({ id, by }) => `${id} ${by}`);
  const listed = { 'tan~2': 'PNES12345A', 'pan~2': 'AAACS1234C' };
  for (const type of ['ais', 'tis', 'form_26as', 'itr', 'itr_v', 'computation'])
    assert.equal(matches(type, { pan: 'BBBPK0002B', ...listed }), [], type);
  assert.equal(
    matches('ais', { pan: 'BBBPK0002B', name: 'SUNITA KULKARNI', ...listed }),
    ['12 name'],
    'a client without a PAN on record',
  );
  for (const type of ['gstr_1', 'gstr_2b'])
    assert.equal(matches(type, { gstin: '27BBBPK0002B1Z3', 'gstin~2': '27AAACS1234C1Z5' }), [], type);
  assert.equal(matches('form_26as', { pan: 'AAAPZ0000A', ...listed }), ['2 pan'], 'the taxpayer is a client');
  assert.equal(matches('ais', { pan: 'AAACS1234C', 'tan~2': 'PNES12345A' }), ['11 pan'], 'its own');
  assert.equal(matches('ais', { 'tan~2': 'PNES12345A' }), [], 'the taxpayer was not read');
  assert.equal(matches('ais', { 'pan~2': 'AAACS1234C', 'pan~3': 'BBBPK0002B' }), []);
  assert.equal(matches('gstr_3b', { 'gstin~2': '27AAACS1234C1Z5' }), ['11 gstin'], 'the only taxpayer in it');
});

test('a certificate or a payslip is not certain for the employer or the deductor: the firm may act for either', () => {
  const employer = { employer_name: 'Sharma Steel Private Limited', employer_pan: 'AAACZ0000A' };
  assert.equal(matchesOf('form_16', { ...employer, employee_pan: 'BBBPK0002B' }), ['1 issuer']);
  assert.equal(matchesOf('form_16', employer), ['1 issuer']);
  assert.equal(matchesOf('form_16a', { deductor_pan: 'AAACZ0000A', deductee_pan: 'BBBPK0002B' }), [
    '1 issuer',
  ]);
  assert.equal(matchesOf('payslip', { employer_name: steel.name, employee_name: 'Sunita' }), ['1 issuer']);
  assert.equal(matchesOf('payslip', { employer_name: steel.name, employee_name: 'Meera Rao' }), [
    '2 name',
    '1 issuer',
  ]);
  assert.equal(matchesOf('form_16', { ...employer, employee_pan: 'AAAPZ0000A' }), ['2 pan', '1 pan']);
});

test('of the PANs without a label in a certificate one is the issuer’s, so that a Form 16 is not certain for the employer', () => {
  const employee = { 'pan~2': 'BBBPK0002B' };
  assert.equal(matchesOf('form_16', { pan: 'AAACZ0000A', ...employee }), ['1 issuer'], 'no person');
  assert.equal(
    matchesOf('form_16', { pan: 'AAACZ0000A', 'pan~2': 'AAAPZ0000A' }),
    ['2 pan'],
    'the only person',
  );
  assert.equal(
    matchesOf('form_16', { pan: 'AAAPZ0000A', ...employee }),
    ['2 issuer'],
    'of an employer who is a person',
  );
  assert.equal(matchesOf('form_16', { pan: 'AAAPZ0000A' }), ['2 pan']);
  assert.equal(matchesOf('form_16a', { pan: 'AAACZ0000A', ...employee }), ['1 issuer']);
  assert.equal(matchesOf('form_16a', { pan: 'AAACZ0000A' }), ['1 pan']);
});

test('a client in the letter or the bill of strangers is only mentioned; a bill to a client is the client’s', () => {
  const mentioned = { 'pan~2': 'AAACZ0000A' };
  assert.equal(matchesOf('notice', { pan: 'BBBPK0002B', ...mentioned }), ['1 mentioned']);
  assert.equal(matchesOf('notice', { pan: 'AAAPZ0000A', ...mentioned }), ['2 pan', '1 pan']);
  assert.equal(matchesOf('notice', mentioned), ['1 pan']);
  const supplier = { supplier_gstin: '27BBBPK0002B1Z3' };
  assert.equal(matchesOf('invoice', { ...supplier, buyer_gstin: '27AAACZ0000A1Z5' }), ['1 gstin']);
  assert.equal(matchesOf('invoice', { ...supplier, 'gstin~2': '27AAACZ0000A1Z5' }), ['1 gstin']);
  assert.equal(
    matchesOf('eway_bill', {
      ...supplier,
      buyer_gstin: '29CCCPK0003C1Z1',
      transporter_gstin: '27AAACZ0000A1Z5',
    }),
    ['1 mentioned'],
  );
  assert.equal(
    matchesOf('balance_sheet', { cin: 'U00000MH2020PTC000001', 'pan~2': 'AAACZ0000A' }),
    ['1 mentioned'],
    'the CIN is not the client’s',
  );
  assert.equal(
    matchesOf('balance_sheet', { cin: 'U00000MH2020PTC000001', 'pan~2': 'AAAPZ0000A' }),
    ['2 pan'],
    'a client without a CIN on record',
  );
});

test('a GSTIN tells two registrations of one company apart that the firm keeps as two clients', () => {
  const pan = 'AAACS1234C';
  const address = '14, Station Road, Nagpur - 440010, Maharashtra';
  const maharashtra = client(21, 'Sharma Steel Pvt Ltd', { pan, gstin: '27AAACS1234C1Z5', address });
  const karnataka = client(22, 'Sharma Steel Pvt Ltd', { pan, gstin: '29AAACS1234C1Z1', address });
  const of = clientIndex([maharashtra, karnataka]);
  const matches = (...document: Parameters<typeof known>) =>
    of(known(...document)).map(({ id, by }) => `${id} ${by}`);
  const name = { legal_name: 'SHARMA STEEL PRIVATE LIMITED' };
  assert.equal(matches('gstr_3b', { gstin: '27AAACS1234C1Z5', ...name }, true, address), ['21 gstin']);
  assert.equal(
    matches('invoice', { supplier_pan: pan, supplier_gstin: '29AAACS1234C1Z1' }),
    ['22 gstin'],
    'the PAN beside it is that of both',
  );
  assert.equal(matches('gstr_3b', { gstin: '33AAACS1234C1Z9' }), ['21 gstin', '22 gstin'], 'a third one');
  assert.equal(matches('itr_v', { pan }), ['21 pan', '22 pan']);
  assert.equal(
    matches('notice', { pan, 'gstin~2': '29AAACS1234C1Z1' }),
    ['21 pan', '22 pan'],
    'the GSTIN only stands somewhere in a letter to the company',
  );
});

const matchesInText = (head: string, values: Record<string, string> = {}, type = 'deed') =>
  matchesOf(type, values, true, head);

test('a client named in the text alone is suggested if no field names a party', () => {
  const deed = 'PARTNERSHIP DEED between Smt. Meera Rao, wife of Anil Rao, and Prakash Iyer';
  assert.equal(matchesInText(deed), ['2 name']);
  assert.equal(matchesInText(deed, { pan: 'ZZZPZ0000Z' }), [], 'the text has the PAN of somebody else');
  assert.equal(matchesInText('Paid to Meera Rao', { holder_name: 'Somebody' }, 'bank_statement'), []);
  assert.equal(matchesInText('Paid to Meera Raoji'), [], 'a part of a word');
  assert.equal(matchesInText('between Meera Rao and SHARMA STEEL (P) LTD. of Pune'), ['2 name', '1 name']);
  const long = clientIndex([traders, client(5, 'Sharma Traders Exports')]);
  assert.equal(
    long(known('deed', {}, true, 'with Sharma Traders Exports of Pune')).map(({ id }) => id),
    [5],
    'of two overlapping names the longer one counts',
  );
  const prakash = clientIndex([client(6, 'Prakash')]);
  assert.equal(prakash(known('deed', {}, true, 'Prakash Iyer')), [], 'a first name is no evidence');
});

test('a name with the same e-mail address, phone, address or date of birth is certain; each of them alone is not', () => {
  const anil = client(7, 'Anil Das', {
    email: 'anil@das.example',
    phone: '9000000001',
    address: '14, Station Road, Nagpur - 440010, Maharashtra',
    born_on: '1980-04-07',
  });
  const clientsNamedDas = clientIndex([anil, client(8, 'Anil Das', { phone: '9000000002' })]);
  const evidence = (head: string, values: Record<string, string> = { holder_name: 'ANIL DAS' }) =>
    clientsNamedDas(known('bank_statement', values, true, head)).map(({ id, by }) => `${id} ${by}`);
  assert.equal(evidence(''), ['7 name', '8 name']);
  assert.equal(evidence('Email: ANIL@das.example.'), ['7 name_and_more']);
  assert.equal(evidence('Mobile +91 90000 00002'), ['8 name_and_more']);
  assert.equal(evidence('14 Station Rd Nagpur, Station Road 440010 (Maharashtra)'), ['7 name_and_more']);
  assert.equal(
    evidence('15, Station Road, Nagpur - 440010, Maharashtra'),
    ['7 name', '8 name'],
    'a neighbour',
  );
  assert.equal(evidence('', { holder_name: 'ANIL DAS', date_of_birth: '1980-04-07' }), ['7 name_and_more']);
  assert.equal(evidence('Email: anil@das.example', { holder_name: 'Somebody' }), []);
  assert.equal(evidence('notanil@das.example'), ['7 name', '8 name']);
});

test('a document says whose it is by the values of one party, also by a name alone', () => {
  assert.equal(
    newClientOf(known('form_16', { employer_name: 'Zwxqvk Textiles', employee_pan: 'ZZZPZ0000A' })),
    { name: '', pan: 'ZZZPZ0000A', gstin: '' },
    'the name of one party is not given beside the PAN of another',
  );
  assert.equal(newClientOf(known('bank_statement', { holder_name: 'Lakshmi Nair' })), {
    name: 'Lakshmi Nair',
    pan: '',
    gstin: '',
  });
  assert.equal(newClientOf(known('bank_statement', { holder_name: 'Lakshmi Nair' }, false)), null);
});

test('a client is found by the name on an invoice also if a GSTIN or a town follows it, or it would be entered twice', () => {
  const text = [
    'Tax Invoice',
    'Invoice No: ST/25-26/0117',
    'Seller: MEHTA AND SONS GSTIN: 27AABCM1234D1Z5 PAN AABCM1234D',
    'Buyer: Sharma Traders, GSTIN 27AAPFS1234K1ZA',
    'Taxable value 50,000.00 CGST 4,500.00 SGST 4,500.00 Total Rs. 59,000.00',
  ].join('\n');
  const { type, fields } = recognise([{ page: 1, label: '', text }], { fileType: 'pdf' });
  const named = Object.fromEntries(
    fields.filter(({ kind }) => kind === 'text').map(({ key, value }) => [key, value]),
  );
  assert.equal([named.supplier_name, named.buyer_name], ['MEHTA AND SONS', 'Sharma Traders']);
  assert.equal(matchesOf(type!, named), ['3 name']);
  assert.equal(matchesOf('invoice', { buyer_name: 'Sharma Traders, Pune' }), ['3 name']);
  assert.equal(matchesOf('invoice', { buyer_name: 'Sharma, Traders' }), ['3 name'], 'as written');
  assert.equal(matchesOf('invoice', { buyer_name: 'Mehta and Sons, Sharma Traders' }), []);
});

test('the supplier of an invoice is the one whose GSTIN follows the name in the letterhead, and not the goods', () => {
  const text = [
    'TAX INVOICE',
    'Bharat Steel Pvt Ltd GSTIN 27AABCB7788L1Z5',
    'Invoice No. BS/2026/0412 dated 12/10/2026',
    'TMT bars',
    'Total Rs.1,23,456.00',
  ].join('\n');
  const { fields } = recognise([{ page: 1, label: '', text }], { fileType: 'pdf' });
  assert.is(fields.find(({ key }) => key === 'supplier_name')?.value, 'Bharat Steel Pvt Ltd');
});

test('of a name and an address under one label only the name is the name', () => {
  const text =
    'FORM NO. 16\nCertificate under section 203\nName and address of the Employee\nMEERA RAO, Chennai';
  const { fields } = recognise([{ page: 1, label: '', text }], { fileType: 'pdf' });
  assert.is(fields.find(({ key }) => key === 'employee_name')?.value, 'MEERA RAO');
});

test.run();
