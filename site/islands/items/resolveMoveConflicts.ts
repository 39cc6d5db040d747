import type { ItemView, MoveResult } from '#server/documents/contract.ts';
import type { Choice } from '../uploads/conflicts.ts';
import { compare } from '../uploads/compare.ts';
import { conflictQuestions } from '../uploads/conflicts.ts';
import { documentCalls } from '../../lib/documentCalls.ts';

const fileOf = ({ name, type, file_size, modified_at }: ItemView) => ({
  name,
  size: file_size ?? 0,
  lastModified: Date.parse(modified_at),
  folder: type === 'folder',
});

/** Asks what to do with the items whose names are taken in the target folder, and does it. @throws {ApiError}. */
export async function resolveMoveConflicts(
  items: readonly ItemView[],
  parentId: number | null,
  result: MoveResult,
): Promise<MoveResult> {
  const takenIds = new Set(result.failed.filter(({ code }) => code === 'taken').map(({ id }) => id));
  const conflicting = items.filter(({ id }) => takenIds.has(id));
  const existingItems = await compare(
    conflicting.map((item) => ({ path: [], file: fileOf(item) })),
    parentId,
  );
  const conflicts = conflicting.flatMap((item, index) => {
    const existing = existingItems.get(index);
    return existing ? [{ item, file: fileOf(item), existing }] : [];
  });
  const choices = await conflictQuestions.ask({ conflicts, sameContent: 0, instead: 'move' });
  const all = { ...result, failed: result.failed.filter(({ id }) => !takenIds.has(id)) };
  const chosen = (choice: Choice) =>
    conflicts.filter((_, index) => choices?.[index] === choice).map(({ item }) => item.id);
  for (const choice of ['keep', 'replace', 'merge'] as const) {
    const ids = chosen(choice);
    if (ids.length === 0) continue;
    const { done, failed, former, merged, later } = await documentCalls.move(ids, parentId, {
      conflicts: choice,
    });
    all.done = [...all.done, ...done];
    all.failed = [...all.failed, ...failed];
    all.former = [...all.former, ...former];
    all.merged = [...all.merged, ...merged];
    all.later = all.later || later;
  }
  return all;
}
