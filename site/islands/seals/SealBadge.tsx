import { Lock } from 'lucide-react';
import type { SealMark } from '#server/documents/seals/contract.ts';
import * as t from '#messages/seals.ts';
import { badgeClass } from '../../components/Badge.tsx';
import { cx } from '../../lib/cx.ts';
import { formatDate } from '../../lib/format.ts';

/** `Sealed by Asha Rao on Apr 3, 2026: Audit report signed`. */
export const sealText = ({ by, at, reason }: SealMark): string =>
  reason === null ? t.sealedBy(by, formatDate(at)) : t.sealedFor(by, formatDate(at), reason);

/** The badge after a sealed item's name; `short` shows only the lock. */
export const SealBadge = ({ seal, short = false }: { seal: SealMark; short?: boolean }) => (
  <span title={sealText(seal)} data-sealed className={badgeClass('neutral', 'shrink-0')}>
    <Lock aria-hidden size={11} />
    <span className={cx(short && 'sr-only')}>{t.sealed}</span>
  </span>
);
