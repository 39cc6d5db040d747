import type { PlanDisplay } from '#server/subscription/contract.ts';
import * as t from '#messages/storage.ts';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { formatDate } from '../../lib/format.ts';
import { Card, Fact } from '../../components/Card.tsx';

const TONES: Record<PlanDisplay['state'], BadgeTone> = {
  Active: 'success',
  Trial: 'accent',
  Expired: 'danger',
  'Free Plan': 'neutral',
};

/** The firm's plan. @param hasBilling whether there are billing details or invoices that the user may see. */
export function PlanCard({ plan, hasBilling }: { plan: PlanDisplay; hasBilling: boolean }) {
  const { title, state, storage, users, billing, ends_at, days_left, urgency } = plan;
  const soon = urgency === 'high' || urgency === 'critical';
  return (
    <Card title={t.subscription} aside={<Badge tone={TONES[state]}>{state}</Badge>}>
      <p className="text-xl font-semibold">{title}</p>
      <dl className="mt-2 divide-y divide-line">
        <Fact term={t.storageLimit}>{storage}</Fact>
        <Fact term={t.userLimit}>{t.users(users)}</Fact>
        <Fact term={t.billing}>{billing ?? (state === 'Trial' ? t.freeInTrial : t.free)}</Fact>
        {ends_at && (
          <Fact term={state === 'Expired' ? t.expiredOn : t.expiresOn}>
            {formatDate(ends_at)}{' '}
            <span className={soon ? 'text-danger-text' : 'font-normal text-muted'}>
              {t.daysLeft(days_left ?? 0)}
            </span>
          </Fact>
        )}
      </dl>
      {hasBilling && (
        <p data-needs="billing.manage" className="mt-2 text-sm">
          <a href="/subscription-plans#billing" className="link">
            {t.billingLink}
          </a>
        </p>
      )}
    </Card>
  );
}
