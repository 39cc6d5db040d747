import type { Staying } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import type { ConfirmOptions } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';

/** Milliseconds that a question waits for it. */
const PATIENCE = 1500;
const NONE: Staying = { count: 0, named: [] };

/** What is known soon enough of what will stay; the deletion itself tells the rest. */
export function soon(asking: Promise<Staying>): Promise<Staying> {
  const late = new Promise<Staying>((resolve) => {
    setTimeout(resolve, PATIENCE, NONE);
  });
  return Promise.race([asking.catch(() => NONE), late]);
}

const SHOWN = 5;

/**
 * A question about deleting so many items, which says what of them will stay and why; one that stays whole is not to be
 * answered with yes.
 * @param actionFor what the button says of as many as really go.
 */
export function askedWith(
  question: ConfirmOptions,
  chosen: number,
  { count, named }: Staying,
  actionFor?: (going: number) => string,
): ConfirmOptions {
  const [first] = named;
  if (!first) return question;
  if (chosen === 1) return { ...question, body: first.message, refused: true };
  const except = named.slice(0, SHOWN).map(({ name, message }) => ({ name: truncateMiddle(name), message }));
  const more = count > SHOWN ? ` ${t.firstShown(SHOWN)}` : '';
  if (count >= chosen) return { ...question, body: t.allStay + more, except, refused: true };
  const rest = t.someStay(count, chosen) + more;
  return {
    ...question,
    body: question.body ? `${question.body} ${rest}` : rest,
    except,
    action: actionFor?.(chosen - count) ?? question.action,
  };
}
