import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { field, FORM_16, recognise, STATEMENT } from './testing/recognised.ts';

interface Office extends World {
  actor: Actor;
}

const test = suite<Office>('Review');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.actor = await office.build.actor();
});
test.after.each((office) => office.close());

async function file(office: Office, name: string, what = FORM_16, client_id: number | null = null) {
  const { id } = await office.build.file(office.actor, { name, content: name, client_id });
  await recognise(office, id, what);
  return id;
}
const names = async ({ services }: Office, actor: Actor, query = {}) =>
  (await services.fields.review(actor, query)).documents.map(({ item }) => item.name);

test('documents with uncertain values are listed, the newest first, until each value is answered', async (office) => {
  const { services, actor } = office;
  const form = await file(office, 'form.txt');
  await file(office, 'bank.txt', STATEMENT);
  await file(office, 'sure.txt', { ...FORM_16, fields: [] });
  const first = await services.fields.review(actor, {});
  assert.equal(
    first.documents.map(({ item, fields }) => [item.name, fields.map(({ id }) => id)]),
    [
      ['bank.txt', ['type']],
      ['form.txt', ['gross_salary', 'tax_deducted']],
    ],
  );
  assert.equal([first.files, first.values], [2, 3]);
  await services.fields.answer(actor, form, [{ id: 'gross_salary', answer: 'confirmed' }]);
  const one = await services.fields.review(actor, {});
  assert.equal([one.files, one.values, one.documents[1]!.fields.length], [2, 2, 1]);
  await services.fields.answer(actor, form, [{ id: 'tax_deducted', answer: 'cleared' }]);
  assert.equal(await names(office, actor), ['bank.txt']);
  assert.equal(await names(office, actor, { skip: [first.documents[0]!.item.id] }), []);
});

test('a document that a user marked as none of the known types does not return to Review, even after it is read again', async (office) => {
  const { services, actor } = office;
  const id = await file(office, 'recipe.txt', { ...FORM_16, type_sure: 0.5 });
  assert.equal(await names(office, actor), ['recipe.txt']);
  await services.fields.answer(actor, id, [{ id: 'type', answer: 'corrected', value: 'other' }]);
  assert.is((await services.fields.view(actor, id)).unsure, 0);
  const after = await services.fields.review(actor, {});
  assert.equal([after.documents, after.files, after.values], [[], 0, 0]);
  await recognise(office, id, { ...FORM_16, type_sure: 0.4 });
  assert.is((await services.fields.review(actor, {})).files, 0);
});

test('an identifier that fails its check comes with the only valid correction until a user has answered', async (office) => {
  const { services, actor } = office;
  const misread = { kind: 'identifier', check: 'failed', sure: 0.3 } as const;
  const id = await file(office, 'form.txt', {
    ...FORM_16,
    fields: [field('employee_pan', 'AAAPZO0S0A', misread), field('pan', 'AAAP11234C', misread)],
  });
  const { fields } = await services.fields.view(actor, id);
  assert.equal(
    fields.map(({ suggested, check }) => [suggested, check]),
    [
      ['AAAPZ0050A', 'failed'],
      [null, 'failed'],
    ],
  );
  const [known] = (await services.fields.knownFields(actor, [id])).get(id)!.fields;
  assert.equal([known!.value, known!.sure], ['AAAPZO0S0A', false], 'the correction is only a suggestion');
  await services.fields.answer(actor, id, [{ id: 'employee_pan', answer: 'corrected', value: 'AAAPZ0050A' }]);
  const [answered] = (await services.fields.view(actor, id)).fields;
  assert.equal([answered!.value, answered!.suggested, answered!.check], ['AAAPZ0050A', null, null]);
});

test('no two users get the same document at once, and a reservation expires', async (office) => {
  const { build, actor } = office;
  const { actor: ravi } = await build.colleague(actor);
  for (let index = 0; index < 7; index += 1) await file(office, `${index}.txt`);
  const mine = await names(office, actor);
  assert.is(mine.length, 5);
  assert.equal(await names(office, ravi), ['1.txt', '0.txt']);
  assert.equal(await names(office, actor), mine, 'a user keeps their own reservations');
  office.advance(5 * 60_000);
  assert.is((await names(office, ravi)).length, 5);
});

test('Review lists only documents that the user sees, can be limited to one client, and demands write permission', async (office) => {
  const { build, services, actor } = office;
  const [sharma, rao] = [await build.client(actor), await build.client(actor, 'Rao Mills')];
  await file(office, 'of sharma.txt', FORM_16, sharma);
  await file(office, 'of rao.txt', FORM_16, rao);
  await file(office, 'of nobody.txt');
  const { clients, files } = await services.fields.review(actor, {});
  assert.equal(
    clients.map(({ name, files: count }) => [name, count]),
    [
      ['Rao Mills', 1],
      ['Sharma Traders', 1],
      [null, 1],
    ],
  );
  assert.is(files, 3);
  assert.equal(await names(office, actor, { client: sharma }), ['of sharma.txt']);
  assert.equal(await names(office, actor, { client: 0 }), ['of nobody.txt']);
  const { actor: ravi } = await build.colleague(actor, { client_scope: 'assigned' });
  office.advance(5 * 60_000);
  assert.equal(await names(office, ravi), [], 'the clients are not assigned to this user');
  assert.is((await services.fields.review(ravi, {})).files, 0);
  await rejects(services.fields.review(build.limited(actor), {}), 403);
});

test.run();
