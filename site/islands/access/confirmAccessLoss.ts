import type { Losing } from '#server/access/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/access.ts';
import { confirm } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { calls } from './calls.ts';

/**
 * Asks for confirmation if moving or linking items would take them out of colleagues' sight, and names the colleagues.
 * @returns whether to proceed; true without asking if nobody loses access. @throws {ApiError}.
 */
export async function confirmAccessLoss(
  items: readonly ItemView[],
  change: Omit<Losing, 'ids'>,
  action: string,
): Promise<boolean> {
  const { names } = await calls.losing({ ids: items.map(({ id }) => id), ...change });
  const [first] = items;
  if (names.length === 0 || !first) return true;
  const question = first.type === 'folder' ? t.losingOne : t.losingFile;
  const body =
    items.length === 1 ? question(truncateMiddle(first.name), names) : t.losingMany(items.length, names);
  return confirm({ title: t.losingTitle(names), body, action });
}
