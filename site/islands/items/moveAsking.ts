import type { ItemView, MoveResult } from '#server/documents/contract.ts';
import type { Choice } from '../uploads/conflicts.ts';
import { compare, conflicts } from '../uploads/conflicts.ts';
import { documentCalls } from '../../lib/documentCalls.ts';

const fileOf = ({ name, type, file_size, modified_at }: ItemView) => ({
  name,
  size: file_size ?? 0,
  lastModified: Date.parse(modified_at),
  folder: type === 'folder',
});

/**
 * Moves items, and asks, once for all, what becomes of those whose names are taken there. Those that are skipped stay
 * where they are and are told in neither list. `back` takes them from wherever colleagues have put them.
 * @throws {ApiError}.
 */
export async function moveAsking(
  items: readonly ItemView[],
  parentId: number | null,
  { back = false } = {},
): Promise<MoveResult> {
  const result = await documentCalls.move(
    items.map(({ id }) => id),
    parentId,
    back ? {} : { seen: items },
  );
  const taken = new Set(result.failed.filter(({ code }) => code === 'taken').map(({ id }) => id));
  const meeting = items.filter(({ id }) => taken.has(id));
  if (meeting.length === 0) return result;

  const there = await compare(
    meeting.map((item) => ({ path: [], file: fileOf(item) })),
    parentId,
  );
  const meetings = meeting.flatMap((item, at) => {
    const one = there.get(at);
    return one ? [{ item, file: fileOf(item), there: one }] : [];
  });
  const choices = await conflicts.ask({ meetings, same: 0, moving: true });
  const all = { ...result, failed: result.failed.filter(({ id }) => !taken.has(id)) };
  const chosen = (choice: Choice) =>
    meetings.filter((_, at) => choices?.[at] === choice).map(({ item }) => item.id);
  for (const choice of ['keep', 'replace'] as const) {
    const ids = chosen(choice);
    if (ids.length === 0) continue;
    const { done, failed, former, later } = await documentCalls.move(ids, parentId, { conflicts: choice });
    all.done = [...all.done, ...done];
    all.failed = [...all.failed, ...failed];
    all.former = [...all.former, ...former];
    all.later = all.later || later;
  }
  return all;
}
