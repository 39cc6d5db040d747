import type { ItemView, MoveResult } from '#server/documents/contract.ts';
import { nameKey } from '#server/text/file-names.ts';
import * as t from '#messages/items.ts';
import type { Choice, MovedFile } from '../name-conflicts/questions.ts';
import { compare } from '../uploads/compare.ts';
import { conflictQuestions } from '../name-conflicts/questions.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import type { ResolvedMove } from './moveResolvingConflicts.ts';
import { moveResolvingConflicts } from './moveResolvingConflicts.ts';

const fileOf = ({ name, type, file_size, modified_at, children_count, client }: ItemView): MovedFile => ({
  name,
  size: file_size ?? 0,
  lastModified: Date.parse(modified_at),
  folder: type === 'folder',
  contents: children_count === null ? null : t.itemCount(children_count),
  client: client?.name ?? null,
});

/** Asks what to do with the items whose names are taken in the target folder, and does it. @throws {ApiError}. */
export async function resolveMoveConflicts(
  items: readonly ItemView[],
  parentId: number | null,
  result: MoveResult,
): Promise<ResolvedMove> {
  const takenIds = new Set(result.failed.filter(({ code }) => code === 'taken').map(({ id }) => id));
  const conflicting = items.filter(({ id }) => takenIds.has(id));
  const told = new Set([...result.done, ...result.failed.map(({ id }) => id)]);
  const waiting = items.filter(({ id }) => !told.has(id));
  const existingItems = await compare(
    conflicting.map((item) => ({ path: [], file: fileOf(item) })),
    parentId,
  );
  const comes = new Map(waiting.map((item) => [nameKey(item.name), item]));
  const conflicts = conflicting.flatMap((item, index) => {
    const there = existingItems.get(index);
    const existing = there ?? comes.get(nameKey(item.name));
    return existing
      ? [{ item, file: fileOf(item), existing: { sha256: null, index, ...existing }, isChosen: !there }]
      : [];
  });
  const choices = await conflictQuestions.ask({
    conflicts,
    sameContent: 0,
    others: waiting.length,
    instead: 'move',
  });
  const all: ResolvedMove = {
    ...result,
    undecided: choices ? [] : [...conflicting, ...waiting],
    failed: result.failed.filter(({ id }) => !takenIds.has(id)),
  };
  const add = ({ later, clients, ...lists }: MoveResult) => {
    for (const key of ['done', 'failed', 'former', 'moved', 'merged'] as const)
      all[key].push(...(lists[key] as never[]));
    all.clients = [...new Set([...all.clients, ...clients])];
    all.later ||= later;
  };
  if (choices && waiting.length > 0) {
    const { undecided, ...others } = await moveResolvingConflicts(waiting, parentId);
    add(others);
    all.undecided = undecided;
  }
  const chosen = (choice: Choice) =>
    conflicts.filter((_, index) => choices?.[index] === choice).map(({ item }) => item.id);
  for (const choice of ['keep', 'replace', 'merge'] as const) {
    const ids = chosen(choice);
    if (ids.length === 0) continue;
    add(await documentCalls.move(ids, parentId, { conflicts: choice }));
  }
  return all;
}
