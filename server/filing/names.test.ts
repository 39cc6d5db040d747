import * as assert from 'uvu/assert';
import { FORM_16, field } from '#server/fields/testing/recognised.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import { rejects } from '#server/testing/rejects.ts';
import { PATTERN } from './contract.ts';
import { filingSuite, scan, suggested } from './testing/office.ts';

const test = filingSuite('names of filed documents');

test('names of invoices and statements contain their number if it is certain, or all of one year would have one name', async (office) => {
  const year = { year: 2025, period: null };
  const invoice = (sure: number): Recognised => ({
    ...FORM_16,
    ...year,
    type: 'invoice',
    fields: [
      ...FORM_16.fields,
      field('invoice_no', 'SE/25-26/014', { sure }),
      field('invoice_date', '2025-07-04', { kind: 'date', sure: 0.99 }),
    ],
  });
  const nameOf = async (what: Recognised) => (await suggested(office, await scan(office, what))).name;
  assert.is(await nameOf(invoice(0.99)), 'Sharma Traders Invoice SE-25-26-014 FY 2025-26.pdf');
  assert.is(
    await nameOf(invoice(0.4)),
    'Sharma Traders Invoice FY 2025-26.pdf',
    'a doubtful number would be believed',
  );
  const account = field('account_no', '50100222334255', { kind: 'identifier', sure: 0.99 });
  const statement = { ...FORM_16, ...year, type: 'bank_statement', fields: [...FORM_16.fields, account] };
  assert.is(await nameOf(statement as Recognised), 'Sharma Traders Bank statement 4255 FY 2025-26.pdf');
  await office.services.filing.setPattern(office.actor, '{date} {type} {number}');
  assert.is(await nameOf(invoice(0.99)), '2025-07-04 Invoice SE-25-26-014.pdf');
  await office.services.filing.setPattern(office.actor, PATTERN);
});

test('names follow the pattern of the firm, leave out unknown values and keep the extension', async (office) => {
  const { services, actor, build } = office;
  const id = await scan(office, { ...FORM_16, type: 'gstr_3b', period: '2025-04' });
  await services.filing.setPattern(actor, '{type} - {period} - {name}');
  assert.match((await suggested(office, id)).name, /^GSTR-3B - Apr 2025 - scan\d+\.pdf$/);
  await rejects(services.filing.setPattern(build.limited(actor), '{type}'), 403);
  await services.filing.setPattern(actor, '{client} {type} {period}');
  const { suggestions, waiting } = await services.filing.suggestions(actor, {
    ids: undefined,
    folder: undefined,
    client: undefined,
  });
  assert.ok(suggestions.length > 3 && suggestions[0]!.sure, 'what is sure comes first');
  assert.ok(suggestions.every(({ item }) => item.client_id === null));
  assert.is(waiting, 0);
});

test.run();
