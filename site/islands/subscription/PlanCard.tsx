import type { ReactNode } from 'react';
import { Check, Mail } from 'lucide-react';
import type { Cycle, PlanView } from '#server/subscription/contract.ts';
import * as t from '#messages/subscription.ts';
import * as common from '#messages/common.ts';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { cx } from '../../lib/cx.ts';
import { formatRupees } from '#server/text/rupees.ts';

export interface PlanCardProps {
  plan: PlanView;
  /** `current`: active; `renewable`: active and near its end; `expired`: the last plan. */
  state: 'current' | 'renewable' | 'expired' | 'other';
  disabled: boolean;
  /** The address to order by e-mail when online payment is not set up, '' if there is none; null to buy online. */
  writeTo: string | null;
  /** A warning above the buttons. */
  warning: string | null;
  onChoose: (cycle: Cycle) => void;
}

const Feature = ({ children }: { children: ReactNode }) => (
  <li className="flex items-start gap-2">
    <Check aria-hidden size={16} className="mt-0.5 shrink-0 text-success-text" />
    <span>{children}</span>
  </li>
);

const Price = ({ amount, per }: { amount: number; per: string }) => (
  <p className="flex items-baseline gap-1.5">
    <span className="tabular text-xl font-semibold">{formatRupees(amount)}</span>
    <span className="text-muted">{per}</span>
  </p>
);

export function PlanCard({ plan, state, disabled, writeTo, warning, onChoose }: PlanCardProps) {
  const active = state === 'current' || state === 'renewable';
  const labels = state === 'renewable' ? t.renewal : t.purchase;
  const features = plan.features.filter((feature) => feature !== 'Secure File Sharing');
  return (
    <article
      aria-labelledby={`plan-${plan.id}`}
      className={cx(
        // Subgrid aligns the rows of all cards, also when a badge wraps to a second line.
        'row-span-4 grid grid-rows-subgrid gap-4 rounded-lg border bg-surface p-5',
        active ? 'border-success-line' : plan.is_popular ? 'border-accent-line' : 'border-line',
      )}
    >
      <div className="flex min-h-6 flex-wrap content-start items-center gap-2">
        <h2 id={`plan-${plan.id}`} className="mr-auto text-lg font-semibold">
          {plan.name}
        </h2>
        {plan.is_popular && <Badge tone="accent">{t.mostPopular}</Badge>}
        {active && <Badge tone="success">{common.active}</Badge>}
        {state === 'expired' && <Badge tone="danger">{common.expired}</Badge>}
      </div>
      <div className="flex flex-col gap-1">
        <Price amount={plan.monthly_price} per={t.perMonth} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Price amount={plan.yearly_price} per={t.perYear} />
          {plan.yearly_savings > 0 && (
            <Badge tone="success">{t.savePercent(plan.yearly_savings_percentage)}</Badge>
          )}
        </div>
        <p className="text-sm text-muted">{t.gstIncluded}</p>
      </div>
      <ul className="flex flex-col gap-2">
        <Feature>{t.storageOf(plan.storage_formatted)}</Feature>
        <Feature>{t.users(plan.max_users)}</Feature>
        <Feature>{t.secureSharing}</Feature>
        {features.map((feature) => (
          <Feature key={feature}>{feature}</Feature>
        ))}
      </ul>
      <div className="flex flex-col gap-2">
        {warning && <p className="mb-2 text-sm text-pretty text-warning-text">{warning}</p>}
        {active && (
          <Button size="lg" isDisabled>
            {t.currentPlan}
          </Button>
        )}
        {state !== 'current' &&
          writeTo &&
          (['yearly', 'monthly'] as const).map((cycle) => (
            <a
              key={cycle}
              href={`mailto:${writeTo}?subject=${encodeURIComponent(t.mailSubject(plan.name, t.purchase[cycle]))}`}
              aria-label={t.planByEmail(labels[cycle], plan.name)}
              className={buttonClass('secondary', 'lg')}
            >
              <Mail aria-hidden size={16} />
              {labels[cycle]}
            </a>
          ))}
        {state !== 'current' && writeTo === null && (
          <>
            <Button
              size="lg"
              variant="primary"
              isDisabled={disabled}
              onPress={() => onChoose('yearly')}
              aria-label={t.planFor(labels.yearly, plan.name, formatRupees(plan.yearly_price))}
            >
              {labels.yearly}
            </Button>
            <Button
              size="lg"
              isDisabled={disabled}
              onPress={() => onChoose('monthly')}
              aria-label={t.planFor(labels.monthly, plan.name, formatRupees(plan.monthly_price))}
            >
              {labels.monthly}
            </Button>
          </>
        )}
      </div>
    </article>
  );
}
