import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RestoreResult, TrashView } from '#server/documents/trash/contract.ts';
import type { Choice } from '../name-conflicts/questions.ts';
import { conflictQuestions } from '../name-conflicts/questions.ts';
import { restoreResolvingConflicts } from './restoreResolvingConflicts.ts';

Object.assign(globalThis, { document: { cookie: 'XSRF-TOKEN=token' } });

const item = (id: number): TrashView =>
  ({
    id,
    name: 'a.pdf',
    type: 'file',
    bytes: 1,
    modified_at: '2026-11-20T10:00:00Z',
    files: 1,
    client: null,
  }) as TrashView;
const there = {
  index: 0,
  id: 9,
  name: 'a.pdf',
  type: 'file',
  file_size: 1,
  modified_at: '2026-11-20T10:00:00Z',
  sha256: null,
} as const;
const restored = (id: number) => ({ id, name: 'a.pdf', parent_id: null });
const refused = (id: number, code: 'taken' | 'sealed') => ({ id, name: 'a.pdf', message: code, code });
const NOTHING: RestoreResult = { done: [], failed: [], restored: [], remade: [], taken: [] };

/** Restores the items while the server answers in turn with these, and the user with the choices. */
async function restoring(ids: number[], answers: Partial<RestoreResult>[], choices: Choice[] | null) {
  const asked: { ids: number[] }[] = [];
  const fetch = async (_: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body));
    return Response.json({ success: true, data: { ...NOTHING, ...answers[asked.length - 1] } });
  };
  Object.assign(globalThis, { fetch });
  let others: number | undefined;
  const stop = conflictQuestions.$current.listen((pending) => {
    if (!pending) return;
    others = pending.question.others;
    pending.answer(choices);
  });
  const result = await restoreResolvingConflicts(ids.map(item));
  stop();
  return { result, others, asked: asked.map((request) => request.ids) };
}

test('after Cancel nothing has been restored, and what was restored before a name was found to be taken is told', async () => {
  const taken = { failed: [refused(1, 'taken')], taken: [there] };
  assert.is((await restoring([1, 2], [taken], null)).result, null);
  const late = { ...taken, done: [2], restored: [restored(2)] };
  const { result } = await restoring([1, 2], [late], null);
  assert.equal([result?.restored, result?.failed], [[restored(2)], []]);
});

test('what cannot be restored is not counted among the others that are restored, and is told once', async () => {
  const first = { failed: [refused(1, 'taken'), refused(2, 'sealed')], taken: [there] };
  const rest = { done: [3], restored: [restored(3)] };
  const kept = { done: [1], restored: [restored(1)] };
  const { result, others, asked } = await restoring([1, 2, 3], [first, rest, kept], ['keep']);
  assert.equal(asked, [[1, 2, 3], [3], [1]]);
  assert.is(others, 1);
  assert.equal([result?.done, result?.failed], [[3, 1], [refused(2, 'sealed')]]);
});

test.run();
