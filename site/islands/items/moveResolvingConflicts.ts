import type { ItemView, MoveResult } from '#server/documents/contract.ts';
import { documentCalls } from '../../lib/documentCalls.ts';

/** `undecided`: the items that stay since the user was asked about taken names, and cancelled. */
export type ResolvedMove = MoveResult & { undecided: readonly ItemView[] };

/**
 * Moves items; one question for all of them resolves name conflicts in the target folder, before anything is moved. Skipped items are not moved, and
 * are neither in `done` nor in `failed`.
 * @throws {ApiError}.
 */
export async function moveResolvingConflicts(
  items: readonly ItemView[],
  parentId: number | null,
): Promise<ResolvedMove> {
  const result = await documentCalls.move(
    items.map(({ id }) => id),
    parentId,
    { ask: true, seen: items },
  );
  if (!result.failed.some(({ code }) => code === 'taken')) return { ...result, undecided: [] };
  const { resolveMoveConflicts } = await import('./resolveMoveConflicts.ts');
  return resolveMoveConflicts(items, parentId, result);
}
