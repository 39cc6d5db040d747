import type { BulkResult } from '#server/documents/contract.ts';
import { item as someItem } from '#messages/items.ts';

/** The failures of a change of these items, each with the name of its item, as far as one is known. */
export function namedFailures(
  items: readonly { id: number; name: string }[],
  { failed }: Pick<BulkResult, 'failed'>,
): { name: string; message: string }[] {
  const nameOf = new Map(items.map(({ id, name }) => [id, name]));
  return failed.map(({ id, name, message }) => ({ name: name ?? nameOf.get(id) ?? someItem, message }));
}
