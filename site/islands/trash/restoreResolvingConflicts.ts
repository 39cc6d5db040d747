import type { RestoreResult, TrashView } from '#server/documents/trash/contract.ts';
import * as t from '#messages/trash.ts';
import { trashCalls } from '../../lib/trash.ts';
import type { Choice } from '../name-conflicts/questions.ts';
import { conflictQuestions } from '../name-conflicts/questions.ts';

/**
 * Restores items to their former folders, or to a given one; one question for all of them resolves name conflicts, before
 * anything is restored unless the server finds them only then, as among very many items. Skipped items stay in Trash, and are neither in `done` nor in `failed`.
 * @returns null if the user cancels; nothing is restored then.
 * @throws {ApiError}.
 */
export async function restoreResolvingConflicts(
  items: readonly TrashView[],
  to?: { id: number | null },
): Promise<RestoreResult | null> {
  const destination = to === undefined ? {} : { parent_id: to.id };
  const result = await trashCalls.restore({ ids: items.map(({ id }) => id), ...destination, ask: true });
  if (result.taken.length === 0) return result;
  const byId = new Map(items.map((item) => [item.id, item]));
  const takenIds = result.failed.filter(({ code }) => code === 'taken').map(({ id }) => id);
  const conflicts = takenIds.flatMap((id, index) => {
    const [item, existing] = [byId.get(id), result.taken[index]];
    if (!item || !existing) return [];
    const { name, type, bytes: size, modified_at, files, client } = item;
    const file = {
      name,
      size,
      lastModified: Date.parse(modified_at),
      folder: type === 'folder',
      contents: files === 0 ? t.noFiles : t.filesIn(files),
      client: client?.name ?? null,
    };
    return [{ id, file, existing, isChosen: byId.has(existing.id) }];
  });
  const told = new Set([...result.done, ...result.failed.map(({ id }) => id)]);
  const waiting = items.filter(({ id }) => !told.has(id));
  const choices = await conflictQuestions.ask({
    conflicts,
    sameContent: 0,
    others: waiting.length,
    instead: 'restore',
  });
  const all = { ...result, failed: result.failed.filter(({ code }) => code !== 'taken') };
  // A name was taken only while the others were restored.
  if (!choices) return result.done.length > 0 ? all : null;
  const add = ({ done, failed, restored, remade }: RestoreResult) => {
    all.done = [...all.done, ...done];
    all.failed = [...all.failed, ...failed];
    all.restored = [...all.restored, ...restored];
    all.remade = [...all.remade, ...remade];
  };
  if (waiting.length > 0) {
    const others = await restoreResolvingConflicts(waiting, to);
    if (others) add(others);
  }
  const chosen = (choice: Choice) =>
    conflicts.filter((_, index) => choices[index] === choice).map(({ id }) => id);
  for (const choice of ['keep', 'replace', 'merge'] as const) {
    const ids = chosen(choice);
    if (ids.length > 0) add(await trashCalls.restore({ ids, ...destination, conflicts: choice }));
  }
  return all;
}
