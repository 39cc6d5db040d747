import type { DeletionPreview } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import type { ConfirmOptions } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';

/** Milliseconds that a confirmation waits for the preview. */
const TIMEOUT_MS = 1500;
const NONE: DeletionPreview = { count: 0, named: [] };

/** The preview of a deletion, or none if it fails or takes too long; the deletion itself reports items that stay. */
export function withTimeout(preview: Promise<DeletionPreview>): Promise<DeletionPreview> {
  const timeout = new Promise<DeletionPreview>((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, NONE);
  });
  return Promise.race([preview.catch(() => NONE), timeout]);
}

const MAX_SHOWN = 5;

/**
 * Adds to the confirmation of a deletion which of the `chosen` items cannot be deleted, and why. If none can be deleted, the
 * dialog has no confirming button.
 * @param actionFor the button's label for the number of items that will be deleted.
 */
export function withStaying(
  options: ConfirmOptions,
  chosen: number,
  { count, named }: DeletionPreview,
  actionFor?: (deleted: number) => string,
): ConfirmOptions {
  const [first] = named;
  if (!first) return options;
  if (chosen === 1) return { ...options, body: first.message, refused: true };
  const except = named
    .slice(0, MAX_SHOWN)
    .map(({ name, message }) => ({ name: truncateMiddle(name), message }));
  const more = count > MAX_SHOWN ? ` ${t.firstShown(MAX_SHOWN)}` : '';
  if (count >= chosen) return { ...options, body: t.noneDeletable + more, except, refused: true };
  const rest = t.someNotDeletable(count, chosen) + more;
  return {
    ...options,
    body: options.body ? `${options.body} ${rest}` : rest,
    except,
    action: actionFor?.(chosen - count) ?? options.action,
  };
}
