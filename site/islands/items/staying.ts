import type { DeletionPreview, ItemView } from '#server/documents/contract.ts';
import type { ForeverPreview } from '#server/documents/trash/contract.ts';
import * as t from '#messages/items.ts';
import * as trash from '#messages/trash.ts';
import type { ConfirmOptions } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';

/** Milliseconds that a confirmation waits for the preview. */
const TIMEOUT_MS = 1500;
/** `bytes` only of what would stay in Trash. */
export type Staying = DeletionPreview & Partial<Pick<ForeverPreview, 'bytes'>>;
const NONE: Staying = { count: 0, named: [], held: { count: 0, named: [] } };

/** The preview of a deletion, or none if it fails or takes too long; the deletion itself reports items that stay. */
export function withTimeout(preview: Promise<Staying>): Promise<Staying> {
  const timeout = new Promise<Staying>((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, NONE);
  });
  return Promise.race([preview.catch(() => NONE), timeout]);
}

const MAX_SHOWN = 5;

const sentences = (...parts: readonly (string | false | undefined)[]) => parts.filter(Boolean).join(' ');

/** What a deletion does to items; `days` in Trash are promised only if a legal hold does not keep all of them longer. */
export function deletionText(
  items: readonly Pick<ItemView, 'type'>[],
  days: number,
  { count, held }: DeletionPreview,
): string {
  const limit = held.count > 0 && count + held.count >= items.length ? null : days;
  if (items.length > 1)
    return days > 0 ? trash.deleteAbout(items.length, limit) : t.deleteAbout(items.length);
  const folder = items[0]?.type === 'folder';
  if (days > 0) return folder ? trash.folderStays(limit) : trash.itemStays(limit);
  return folder ? t.deleteFolderAbout : t.noUndo;
}

/**
 * Adds to the confirmation of a deletion which of the `chosen` items cannot be deleted, or stay in Trash under a legal hold,
 * and why. If none can be deleted, the dialog has no confirming button.
 * @param actionFor the button's label for the number of items that will be deleted.
 */
export function withStaying(
  options: ConfirmOptions,
  chosen: number,
  { count, named, held }: DeletionPreview,
  actionFor?: (deleted: number) => string,
): ConfirmOptions {
  const { body } = options;
  if (chosen === 1 && named[0]) return { ...options, body: named[0].message, refused: true };
  if (chosen === 1) return { ...options, body: sentences(body, held.named[0]?.message) };
  const except = [...named, ...held.named]
    .slice(0, MAX_SHOWN)
    .map(({ name, message }) => ({ name: truncateMiddle(name), message }));
  if (except.length === 0) return options;
  const more = count + held.count > MAX_SHOWN && t.firstShown(MAX_SHOWN);
  if (count >= chosen) return { ...options, body: sentences(t.noneDeletable, more), except, refused: true };
  return {
    ...options,
    body: sentences(
      body,
      count > 0 && t.someNotDeletable(count, chosen),
      held.count > 0 && t.someHeld(held.count, chosen),
      more,
    ),
    except,
    action: actionFor?.(chosen - count) ?? options.action,
  };
}
