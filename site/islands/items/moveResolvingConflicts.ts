import type { ItemView, MoveResult } from '#server/documents/contract.ts';
import { documentCalls } from '../../lib/documentCalls.ts';

/**
 * Moves items; one question for all of them resolves name conflicts in the target folder. Skipped items are not moved, and
 * are neither in `done` nor in `failed`. `back` (undo) also moves items that colleagues have moved since.
 * @throws {ApiError}.
 */
export async function moveResolvingConflicts(
  items: readonly ItemView[],
  parentId: number | null,
  { back = false } = {},
): Promise<MoveResult> {
  const result = await documentCalls.move(
    items.map(({ id }) => id),
    parentId,
    back ? {} : { seen: items },
  );
  if (!result.failed.some(({ code }) => code === 'taken')) return result;
  const { resolveMoveConflicts } = await import('./resolveMoveConflicts.ts');
  return resolveMoveConflicts(items, parentId, result);
}
