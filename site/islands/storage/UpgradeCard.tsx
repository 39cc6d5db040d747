import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import type { PlanDisplay, SubscriptionStatus } from '#server/subscription/contract.ts';
import { TRIAL_DAYS } from '#server/subscription/contract.ts';
import * as t from '#messages/storage.ts';
import * as trial from '#messages/trial.ts';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/apiError.ts';
import { toast } from '../../lib/toast.ts';
import { refresh } from '../../lib/cache.ts';

/** Offers a trial, a plan or a renewal; hidden while a paid plan is not about to end. */
export function UpgradeCard({ status, plan }: { status: SubscriptionStatus | null; plan: PlanDisplay }) {
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  if (plan.urgency === 'none') return null;
  const trialOpen = !status?.trial_ends_at && !status?.subscription;

  async function startTrial(): Promise<void> {
    setBusy(true);
    try {
      await api.post('/api/subscription/trial/start');
      toast.success(trial.started);
    } catch (error) {
      const hasServerMessage =
        error instanceof ApiError && error.status !== 0 && !error.code.startsWith('http_');
      toast.error(hasServerMessage ? error.message : trial.failed);
    }
    await refresh(cache);
    setBusy(false);
  }

  return (
    <section
      aria-labelledby="upgrade"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-accent-line bg-accent-soft p-4"
    >
      <Sparkles aria-hidden size={20} className="shrink-0 text-accent-text" />
      <div className="min-w-0 flex-1 basis-60">
        <h2 id="upgrade" className="text-base font-semibold">
          {plan.badge.action === 'Renew' ? t.renewPlan : t.moreStorage}
        </h2>
        <p className="text-muted">
          {trialOpen
            ? t.tryFree(TRIAL_DAYS)
            : plan.state === 'Expired'
              ? t.untilRenewed(status?.storage_details.limit_formatted ?? '')
              : t.plansFrom}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {trialOpen && (
          <Button data-needs="billing.manage" variant="primary" busy={busy} onPress={() => void startTrial()}>
            {t.startTrial}
          </Button>
        )}
        <a
          href="/subscription-plans"
          target="_blank"
          rel="noopener"
          className={buttonClass(trialOpen ? 'secondary' : 'primary')}
        >
          {t.viewPlans}
        </a>
      </div>
    </section>
  );
}
