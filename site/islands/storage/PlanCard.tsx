import type { PlanDisplay } from '#server/subscription/contract.ts';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { formatDate, plural } from '../../lib/format.ts';
import { Card, Fact } from '../../components/Card.tsx';

const TONES: Record<PlanDisplay['state'], BadgeTone> = {
  Active: 'success',
  Trial: 'accent',
  Expired: 'danger',
  'Free Plan': 'neutral',
};

export function PlanCard({ plan }: { plan: PlanDisplay }) {
  const { title, state, storage, users, billing, ends_at, days_left, urgency } = plan;
  const soon = urgency === 'high' || urgency === 'critical';
  return (
    <Card title="Current Subscription" aside={<Badge tone={TONES[state]}>{state}</Badge>}>
      <p className="text-xl font-semibold">{title}</p>
      <dl className="mt-2 divide-y divide-line">
        <Fact term="Storage limit">{storage}</Fact>
        <Fact term="User limit">{plural(users, 'user')}</Fact>
        <Fact term="Billing">{billing ?? (state === 'Trial' ? 'Free during the trial' : 'Free')}</Fact>
        {ends_at && (
          <Fact term={state === 'Expired' ? 'Expired On' : 'Expires On'}>
            {formatDate(ends_at)}{' '}
            <span className={soon ? 'text-danger-text' : 'font-normal text-muted'}>
              ({plural(days_left ?? 0, 'day')} left)
            </span>
          </Fact>
        )}
      </dl>
      <p className="mt-2 text-sm">
        <a href="/subscription-plans#billing" className="link">
          Billing and invoices
        </a>
      </p>
    </Card>
  );
}
