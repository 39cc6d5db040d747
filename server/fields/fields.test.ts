import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { FieldChange, FieldsView } from './contract.ts';
import { field, FORM_16, recognise, STATEMENT } from './testing/recognised.ts';

interface Office extends World {
  actor: Actor;
  count: number;
}

const test = suite<Office>('recognised values of documents');
test.before(async (office) => {
  Object.assign(office, await freshWorld(), { count: 0 });
  office.actor = await office.build.actor();
});
test.after((office) => office.close());

/** A file of its own content, recognised as a Form 16. */
async function form16(office: Office, recognised = FORM_16) {
  office.count += 1;
  const file = await office.build.file(office.actor, {
    name: `scan${office.count}.txt`,
    content: `Form 16 no. ${office.count}`,
  });
  await recognise(office, file.id, recognised);
  return file;
}
const answer = ({ services, actor }: Office, id: number, ...changes: FieldChange[]) =>
  services.fields.answer(actor, id, changes);
const fieldOf = (view: FieldsView, id: string) => view.fields.find((one) => one.id === id)!;

test('the view of a file gives each value with its position, and marks uncertain ones so that a user checks them', async (office) => {
  const { id } = await form16(office);
  const view = await office.services.fields.view(office.actor, id);
  assert.equal(
    [view.type.value, view.year, view.period.value, view.unsure],
    ['form_16', 2025, 'FY 2025-26', 2],
  );
  const salary = fieldOf(view, 'gross_salary');
  assert.equal(
    [salary.value, salary.raw, salary.page, salary.unsure],
    ['120000000', '12,00,000.00', 1, true],
  );
  assert.equal(salary.box, [500, 1000, 800, 120]);
  const known = (await office.services.fields.knownFields(office.actor, [id])).get(id)!;
  assert.equal([known.type, known.typeSure, known.year], ['form_16', true, 2025]);
  assert.is(known.fields.find(({ key }) => key === 'employee_pan')!.value, 'AAAPZ0000A');
});

test('a user’s answer stays with the name of the user, even where a later recognition finds another value', async (office) => {
  const { id } = await form16(office);
  const corrected = { id: 'gross_salary', answer: 'corrected', value: 'Rs. 12,50,000' } as const;
  const view = await answer(office, id, corrected, { id: 'tax_deducted', answer: 'confirmed' });
  assert.equal([fieldOf(view, 'gross_salary').value, view.unsure], ['125000000', 0]);
  await recognise(office, id, {
    ...FORM_16,
    fields: [field('gross_salary', '1', { kind: 'amount', sure: 0.1 })],
  });
  const later = await office.services.fields.view(office.actor, id);
  const salary = fieldOf(later, 'gross_salary');
  assert.equal([salary.value, salary.read, salary.unsure], ['125000000', '1', false]);
  assert.equal([salary.answer!.what, salary.answer!.by], ['corrected', 'Asha Rao']);
  assert.is(fieldOf(later, 'tax_deducted').value, '9000000', 'also where the later reading found nothing');
  const withdrawn = await answer(office, id, { id: 'gross_salary', answer: null });
  assert.equal(
    [fieldOf(withdrawn, 'gross_salary').value, fieldOf(withdrawn, 'gross_salary').unsure],
    ['1', true],
  );
});

test('values are accepted as people write them, and one invalid value rejects the whole request', async (office) => {
  const { id } = await form16(office);
  await rejects(
    answer(
      office,
      id,
      { id: 'gross_salary', answer: 'corrected', value: '1,2345' },
      { id: 'employee_pan', answer: 'corrected', value: 'AAAPZ0000B' },
    ),
    422,
  );
  assert.is(fieldOf(await office.services.fields.view(office.actor, id), 'employee_pan').value, 'AAAPZ0000A');
  await rejects(answer(office, id, { id: 'employee_pan', answer: 'corrected', value: 'AAADZ0000A' }), 422);
  await rejects(answer(office, id, { id: 'not_there', answer: 'confirmed' }), 422);
  const view = await answer(
    office,
    id,
    { id: 'employer_name', answer: 'cleared' },
    {
      id: 'period',
      answer: 'corrected',
      value: 'AY 2025-26',
    },
  );
  assert.is(fieldOf(view, 'employer_name').value, null);
  assert.equal([view.period.value, view.year], ['FY 2024-25', 2024]);
  const shortened = { id: 'period', answer: 'corrected', value: 'Asst. Yr. 2024-25' } as const;
  assert.is((await answer(office, id, shortened)).period.value, 'FY 2023-24');
});

test('a value that a colleague has changed since the user saw it is not overwritten, and the refusal names the colleague', async (office) => {
  const { services, actor, build } = office;
  const { actor: ravi } = await build.colleague(actor, { name: 'Ravi Kumar' });
  const { id } = await form16(office);
  const correct = (by: Actor, value: string, seen: string | null) =>
    services.fields.answer(by, id, [{ id: 'gross_salary', answer: 'corrected', value, seen }]);
  const valueNow = async () => fieldOf(await services.fields.view(actor, id), 'gross_salary').value;
  await correct(ravi, '12,50,000', '120000000');
  const refused = await rejects(correct(actor, '13,00,000', '120000000'), 409);
  assert.equal(
    [refused.code, refused.message],
    ['value_changed', 'Changed by Ravi Kumar a moment ago. Your value is not saved.'],
  );
  await rejects(
    services.fields.answer(actor, id, [{ id: 'gross_salary', answer: 'cleared', seen: '120000000' }]),
    409,
  );
  const inAnotherTab = await rejects(correct(ravi, '13,00,000', '120000000'), 409);
  assert.match(inAnotherTab.message, 'You changed this value elsewhere a moment ago');
  assert.is(await valueNow(), '125000000');
  await correct(actor, '12,50,000', '120000000');
  await correct(actor, '13,00,000', '125000000');
  assert.is(await valueNow(), '130000000', 'to which somebody who has seen it may change it');
  await recognise(office, id, {
    ...FORM_16,
    fields: [field('gross_salary', '1', { kind: 'amount' }), field('tax_deducted', '2', { kind: 'amount' })],
  });
  const readAgain = await rejects(
    services.fields.answer(actor, id, [{ id: 'tax_deducted', answer: 'confirmed', seen: '9000000' }]),
    409,
  );
  assert.match(readAgain.message, 'in the meantime');
});

test('a new version of a file starts without values, and a restored version has its answers again', async (office) => {
  const { services, actor, build } = office;
  const first = await form16(office);
  await answer(office, first.id, { id: 'gross_salary', answer: 'corrected', value: '5' });
  await build.file(actor, { name: first.name, content: 'another', conflict: 'replace' });
  const replaced = await services.fields.view(actor, first.id);
  assert.equal([replaced.type.value, replaced.fields, replaced.state], [null, [], 'waiting']);
  const { earlier } = await services.versions.list(actor, first.id);
  await services.versions.restore(actor, { item: first.id, version: earlier[0]!.id! });
  await recognise(office, first.id, FORM_16);
  assert.is(fieldOf(await services.fields.view(actor, first.id), 'gross_salary').value, '500');
});

test('files are found by type and year, where an answered type overrides the recognised one', async (office) => {
  const { services, actor, db } = office;
  const [a, b] = [await form16(office), await form16(office)];
  await answer(office, b.id, { id: 'type', answer: 'corrected', value: 'invoice' });
  const findFiles = async (types: string[], years: number[]) => {
    const { sql, bindings } = await services.fields.condition(actor.firmId, { types, years });
    return db('items as i').where('i.firm_id', actor.firmId).whereRaw(sql, bindings).pluck('i.id');
  };
  const forms = await findFiles(['form_16'], [2025]);
  assert.equal([forms.includes(a.id), forms.includes(b.id)], [true, false]);
  assert.equal(await findFiles(['invoice'], [2025]), [b.id]);
  assert.equal(await findFiles(['form_16'], [2019]), []);
});

test('a year that is confirmed in Review is that of the document, as an answered period is, or Organise would go on asking', async (office) => {
  const { services, actor } = office;
  const inDoubt = field('year', 'FY 2011-12', { kind: 'period', sure: 0.5 });
  const { id } = await form16(office, { ...FORM_16, year: null, period: null, fields: [inDoubt] });
  const known = async () => {
    const { year, period } = (await services.fields.knownFields(actor, [id])).get(id)!;
    return [year, period];
  };
  const found = async (year: number) => {
    const { sql, bindings } = await services.fields.condition(actor.firmId, { years: [year] });
    return office.db('items as i').where('i.firm_id', actor.firmId).whereRaw(sql, bindings).pluck('i.id');
  };
  assert.equal([await known(), await found(2011)], [[null, null], []]);
  await answer(office, id, { id: 'year', answer: 'confirmed' });
  assert.equal([await known(), await found(2011)], [[2011, null], [id]]);
  await answer(office, id, { id: 'year', answer: 'cleared' });
  assert.equal([await known(), await found(2011)], [[null, null], []]);

  const read = await form16(office);
  await answer(office, read.id, { id: 'year', answer: 'corrected', value: 'FY 2024-25' });
  const corrected = (await services.fields.knownFields(actor, [read.id])).get(read.id)!;
  assert.equal(
    [corrected.year, corrected.period],
    [2024, null],
    'the period that was read is of another year',
  );
});

test('another firm gets 404, and a user without write permission sees the values but cannot answer', async (office) => {
  const { services, actor, build } = office;
  const { id } = await form16(office);
  const stranger = await build.actor();
  await rejects(services.fields.view(stranger, id), 404);
  await rejects(services.fields.answer(stranger, id, [{ id: 'type', answer: 'confirmed' }]), 404);
  assert.is((await services.fields.knownFields(stranger, [id])).size, 0);
  const reader = build.limited(actor);
  assert.is((await services.fields.view(reader, id)).type.value, 'form_16');
  await rejects(services.fields.answer(reader, id, [{ id: 'type', answer: 'confirmed' }]), 403);
});

test('no value or type is stored in plain text, neither with the document nor in the audit log', async (office) => {
  const { db } = office;
  const { id } = await form16(office);
  await answer(office, id, { id: 'employer_name', answer: 'corrected', value: 'Zwxqvk Traders' });
  const tables = ['document_fields', 'field_answers', 'audit_events', 'audit_links'];
  const rows = await Promise.all(tables.map((table) => db(table)));
  const plain = rows
    .flat()
    .flatMap((row) => Object.values(row as object))
    .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
    .join('\n');
  for (const word of ['Zwxqvk', 'AAAPZ0000A', 'form_16', 'gross_salary', 'employer_name', '120000000'])
    assert.not.match(plain, word);
});

test('only the last four digits of an Aadhaar number are stored, whether recognised or typed', async (office) => {
  const { services, actor } = office;
  const { id } = await form16(office);
  const number = { kind: 'identifier', raw: '9999 4105 7058' } as const;
  await recognise(office, id, {
    ...FORM_16,
    fields: [field('aadhaar', '999941057058', number), field('remark', 'of 9999/4105/7058')],
  });
  const view = await services.fields.view(actor, id);
  assert.equal([fieldOf(view, 'aadhaar').value, fieldOf(view, 'aadhaar').raw], ['7058', 'XXXX XXXX 7058']);
  assert.is(fieldOf(view, 'remark').value, 'of XXXX/XXXX/7058');
  const answered = await answer(office, id, { id: 'aadhaar', answer: 'corrected', value: '9999 4105 7058' });
  assert.is(fieldOf(answered, 'aadhaar').value, '7058');
});

test('recognised values are deleted with the last file of their content, and answers with their file', async (office) => {
  const { services, actor, db } = office;
  const { id } = await form16(office);
  await answer(office, id, { id: 'type', answer: 'confirmed' });
  const { sha256 } = await db('items').where({ id }).first('sha256');
  const storedRows = async () => [
    (await db('document_fields').where({ sha256 })).length,
    (await db('field_answers').where({ item_id: id })).length,
  ];
  assert.equal(await storedRows(), [1, 1]);
  await services.documents.remove(actor, [id]);
  await services.trash.remove(actor, [id]);
  while ((await services.records.purge()) > 0);
  await services.reading.work(new AbortController().signal);
  assert.equal(await storedRows(), [0, 0]);
});

test('the view of a file has its tables without rows, which are loaded when a table is opened', async (office) => {
  const { services, actor, build } = office;
  const { id } = await build.file(actor, { name: 'bank.txt', content: 'Statement of Account' });
  await recognise(office, id, STATEMENT);
  const [table] = (await services.fields.view(actor, id)).tables;
  assert.equal([table!.key, table!.rows, table!.breaks], ['transactions', 3, [2]]);
  const { rows } = await services.fields.table(actor, id, 0);
  assert.is(rows[1]!.cells[3], '250050');
  await rejects(services.fields.table(actor, id, 1), 404);
});

test('the rows of a table are not for a user who may only view, as they could be copied, and reading them is in the history', async (office) => {
  const { services, actor, build, db } = office;
  const { id } = await build.file(actor, { name: 'bank.txt', content: 'Statement of Account' });
  await recognise(office, id, STATEMENT);
  const looker = build.limited(actor, ['documents.read']);
  assert.is((await services.fields.view(looker, id)).tables[0]!.rows, 3, 'the values are theirs to see');
  const { code } = await rejects(services.fields.table(looker, id, 0), 403);
  assert.is(code, 'look_only');
  for (let n = 0; n < 2; n += 1) await services.fields.table(actor, id, 0);
  const rows = await db('audit_events').where({ did: 'document.download', subject: `item:${id}` });
  assert.is(rows.length, 1, 'once while it is looked at');
});

test.run();
