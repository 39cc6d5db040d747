import type { ShareView } from '#server/sharing/contract.ts';
import * as t from '#messages/sharing.ts';
import { useMaskCheck } from '../sharing/useMaskCheck.ts';

/** Files that are named; the rest are counted. */
const SHOWN = 3;
/** Slower than in a dialog, since each link of the list is checked on its own. */
const POLL_MS = 60_000;

/** The files that a link withholds because their Aadhaar numbers cannot be covered. */
export function WithheldFiles({ share }: { share: ShareView }) {
  const check = useMaskCheck(
    share.items.map(({ id }) => id),
    share,
    { pollMs: POLL_MS },
  );
  if (!check?.withheld) return null;
  return (
    <span className="wrap-anywhere text-warning-text">
      {t.withheldNames(
        check.withheld,
        check.names.slice(0, SHOWN).map(({ name }) => name),
      )}{' '}
      {t.withheldHint}
    </span>
  );
}
