import { read, utils } from '@e965/xlsx';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '#server/testing/rejects.ts';
import { bearer, Visitor } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { FORM_16, recognise, STATEMENT } from './testing/recognised.ts';

interface Office extends World {
  actor: Actor;
  token: string;
  url: string;
  statement: number;
  form: number;
  folder: number;
}

const test = suite<Office>('exports of the values of documents');
test.before(async (office) => {
  Object.assign(office, await freshWorld());
  const { build } = office;
  const account = await build.account();
  Object.assign(office, { actor: account.actor, token: account.token, url: await office.serve() });
  const { id: folder } = await build.folder(office.actor, 'Sharma');
  const statement = await build.file(office.actor, {
    name: 'bank.pdf',
    content: 'Statement',
    parent_id: folder,
  });
  const form = await build.file(office.actor, { name: 'form.pdf', content: 'Form 16' });
  Object.assign(office, { folder, statement: statement.id, form: form.id });
  await recognise(office, statement.id, STATEMENT);
  await recognise(office, form.id, FORM_16);
});
test.after((office) => office.close());

const sheet = (bytes: Buffer) => {
  const book = read(bytes, { cellNF: true });
  return book.Sheets[book.SheetNames[0]!]!;
};

test('a bank statement is exported as a workbook with numbers and dates, and rows whose balance does not follow are marked', async ({
  services,
  actor,
  statement,
}) => {
  const { name, bytes } = await services.fieldExport.table(actor, statement, 0, 'xlsx');
  assert.is(name, 'bank transactions.xlsx');
  const rows = utils.sheet_to_json<unknown[]>(sheet(bytes), { header: 1, raw: false });
  assert.equal(rows[0], ['Date', 'Narration', 'Debit', 'Credit', 'Balance', 'To check']);
  assert.equal(
    [rows[1]![0], rows[2]![4], rows[3]![5]],
    ['01-04-2025', '12,500.50', 'The balance does not follow'],
  );
  assert.is(sheet(bytes)['E3'].v, 12500.5);
});

test('a text that begins like a formula is exported as text, or a spreadsheet would execute it', async ({
  services,
  actor,
  statement,
}) => {
  const book = sheet((await services.fieldExport.table(actor, statement, 0, 'xlsx')).bytes);
  assert.equal([book['B3'].t, book['B3'].f, book['B3'].v], ['s', undefined, '=HYPERLINK("x")']);
  const csv = (await services.fieldExport.table(actor, statement, 0, 'csv')).bytes.toString();
  assert.match(csv, `2025-04-02,"'=HYPERLINK(""x"")",,2500.5,12500.5,`);
});

test('an export of files and folders has one row per document, with corrected values instead of recognised ones', async ({
  services,
  actor,
  folder,
  form,
}) => {
  await services.fields.answer(actor, form, [
    { id: 'gross_salary', answer: 'corrected', value: '12,50,000' },
  ]);
  const { bytes } = await services.fieldExport.documents(actor, [folder, form], 'xlsx');
  const rows = utils.sheet_to_json<Record<string, unknown>>(sheet(bytes));
  assert.equal(
    rows.map((row) => [row['Document'], row['Type'], row['Gross salary'], row['Values to check']]),
    [
      ['Sharma/bank.pdf', 'Bank statement', undefined, 1],
      ['form.pdf', 'Form 16', 1_250_000, 1],
    ],
  );
});

test('an export demands download permission, counts each document towards the daily limit, and gives another firm 404', async ({
  services,
  actor,
  build,
  form,
  statement,
}) => {
  await rejects(services.fieldExport.documents(build.limited(actor), [form], 'csv'), 403);
  await rejects(services.fieldExport.table(build.limited(actor), statement, 0, 'csv'), 403);
  await rejects(
    services.fieldExport.documents({ ...actor, dailyDownloads: 1 }, [form, statement], 'csv'),
    429,
  );
  const stranger = await build.actor();
  await rejects(services.fieldExport.documents(stranger, [form], 'csv'), 404);
  await rejects(services.fieldExport.table(stranger, statement, 0, 'csv'), 404);
});

test('values are viewed, answered and exported over HTTP', async ({ url, token, form }) => {
  const asha = new Visitor(url);
  const headers = bearer(token);
  const { json } = await asha.get(`/api/documents/${form}/fields`, { headers });
  assert.is(json.data.type.value, 'form_16');
  const change = { fields: [{ id: 'tax_deducted', answer: 'corrected', value: 'many' }] };
  const patch = (body: unknown) =>
    fetch(`${url}/api/documents/${form}/fields`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const rejected = await patch(change);
  assert.equal(
    [rejected.status, Object.keys(((await rejected.json()) as { errors: object }).errors)],
    [422, ['tax_deducted']],
  );
  assert.is((await patch({ fields: [{ id: 'tax_deducted', answer: 'confirmed' }] })).status, 200);
  const response = await fetch(`${url}/api/documents/fields/export`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ids: [form], form: 'csv' }),
  });
  assert.match(
    response.headers.get('content-disposition') ?? '',
    /attachment; filename="Documents 2026-11-20\.csv"/,
  );
  assert.match(await response.text(), /^\uFEFF?Document,Client,Type/);
});

test.run();
