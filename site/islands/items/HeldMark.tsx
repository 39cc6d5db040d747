import { ShieldAlert } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import { badgeClass } from '../../components/Badge.tsx';
import { cx } from '../../lib/cx.ts';

/** The badge after the name of a held file; `short` shows only the icon. */
export function HeldMark({ item: { held_back: held }, short = false }: { item: ItemView; short?: boolean }) {
  if (!held) return null;
  const tone = held === 'waiting' ? 'neutral' : held === 'too_large' ? 'warning' : 'danger';
  return (
    <span title={t.heldBecause[held]} data-held={held} className={badgeClass(tone, 'shrink-0')}>
      <ShieldAlert aria-hidden size={11} />
      <span className={cx(short && 'sr-only')}>{t.held}</span>
      <span className="sr-only">. {t.heldBecause[held]}</span>
    </span>
  );
}
