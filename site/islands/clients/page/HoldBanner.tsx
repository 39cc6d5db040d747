import { useState } from 'react';
import { Gavel } from 'lucide-react';
import type { HoldView } from '#server/documents/legal-holds/contract.ts';
import * as t from '#messages/holds.ts';
import { Button } from '../../../components/Button.tsx';
import { cx } from '../../../lib/cx.ts';
import { formatDate } from '../../../lib/format.ts';

/** Characters of a reason that a phone shows in three lines, with who placed the hold. */
const SHORT = 70;

/** The legal hold on a client's page. On a phone a long reason is cut until it is asked for. */
export function HoldBanner({ hold, onLift }: { hold: HoldView; onLift: () => void }) {
  const [whole, setWhole] = useState(false);
  return (
    <section
      aria-label={t.title}
      className="mt-2 mb-3 flex items-start gap-2.5 rounded-md border border-warning-line bg-warning-soft px-3 py-2.5"
    >
      <Gavel aria-hidden size={16} className="mt-0.5 shrink-0 text-warning-text" />
      <div className="min-w-0 flex-1 text-pretty break-words">
        <p className="font-semibold text-warning-text">{t.title}</p>
        <p className={cx(!whole && 'max-md:line-clamp-3')}>
          {t.placedBy(hold.by, formatDate(hold.at), hold.reason)}
        </p>
        {hold.reason.length > SHORT && (
          <button
            type="button"
            aria-expanded={whole}
            className="link min-h-6 pointer-coarse:min-h-11 md:hidden"
            onClick={() => setWhole(!whole)}
          >
            {whole ? t.less : t.more}
          </button>
        )}
        <p className="text-muted">{t.holdAbout}</p>
      </div>
      <Button data-needs="retention.manage" size="sm" onPress={onLift} className="-my-1">
        {t.lift}
      </Button>
    </section>
  );
}
