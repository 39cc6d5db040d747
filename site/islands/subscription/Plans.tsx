import { useState } from 'react';
import type { PlanView, SubscriptionStatus } from '#server/subscription/contract.ts';
import { EXPIRY_WARNING_DAYS, TRIAL_DAYS, displayOf } from '#server/subscription/contract.ts';
import * as t from '#messages/subscription.ts';
import * as trial from '#messages/trial.ts';
import { Alert } from '../../components/Alert.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Rich } from '../../components/Rich.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { api, messageOf } from '../../lib/api.ts';
import { formatDate } from '../../lib/format.ts';
import { CheckAgain } from './CheckAgain.tsx';
import { PayingOverlay } from './PayingOverlay.tsx';
import { PlanCard } from './PlanCard.tsx';
import { reloadWith, usePayment } from './usePayment.ts';

export interface PlansData {
  plans: PlanView[];
  current: SubscriptionStatus;
}

export interface PlansProps {
  /** Null when loading failed. */
  first: PlansData | null;
  /** The server's time, ISO 8601, so that server and browser count the same days. */
  now: string;
  /** The URL of the gateway's script; null when online payment is not set up. */
  checkoutUrl: string | null;
  mayPay: boolean;
  appName: string;
  contactEmail: string;
  /** For an operator of the server: the e-mail address for the command that grants a plan; null for other users. */
  grantFor: string | null;
  /** Whether the firm's invoices would name no state, and so no GSTIN. */
  lacksState: boolean;
}

const GRID = 'grid gap-4 md:grid-cols-3';

function stateOf(plan: PlanView, { status, subscription }: SubscriptionStatus, daysLeft: number | null) {
  if (subscription?.plan_id !== plan.id) return 'other';
  if (status !== 'active') return 'expired';
  return (daysLeft ?? 0) <= EXPIRY_WARNING_DAYS ? 'renewable' : 'current';
}

const Loading = () => (
  <div className={GRID} aria-busy="true" aria-label={t.loadingPlans}>
    {[1, 2, 3].map((card) => (
      <Skeleton key={card} className="h-96 rounded-lg" />
    ))}
  </div>
);

function PlansIsland({
  first,
  now,
  checkoutUrl,
  mayPay,
  appName,
  contactEmail,
  grantFor,
  lacksState,
}: PlansProps) {
  const [data, setData] = useState(first);
  const [loading, setLoading] = useState(false);
  const [starting, setStarting] = useState(false);
  const [trialError, setTrialError] = useState<string | null>(null);
  const payment = usePayment({ checkoutUrl: checkoutUrl ?? '', appName });

  async function load(): Promise<void> {
    setLoading(true);
    try {
      const [plans, current] = await Promise.all([
        api.get<PlanView[]>('/api/subscription/plans'),
        api.get<SubscriptionStatus>('/api/subscription/current'),
      ]);
      setData({ plans, current });
    } catch {
      setData(null);
    } finally {
      setLoading(false);
    }
  }

  async function startTrial(): Promise<void> {
    setStarting(true);
    setTrialError(null);
    try {
      const { message } = await api.send('POST', '/api/subscription/trial/start');
      reloadWith(message ?? trial.started);
    } catch (error) {
      setTrialError(messageOf(error, trial.failed));
      setStarting(false);
    }
  }

  if (loading) return <Loading />;
  if (!data) return <Alert onRetry={load}>{t.plansFailed}</Alert>;

  const { plans, current } = data;
  const display = displayOf(current, new Date(now));
  const { used_bytes, used_formatted } = current.storage_details;
  const offersTrial = !current.subscription && current.trial_ends_at === null;
  const warningFor = (plan: PlanView) =>
    used_bytes > plan.storage_gb * 1024 ** 3 ? t.overPlan(used_formatted) : null;

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{display.title}</span>
        {display.badge.message !== display.title && (
          <Badge tone={current.badge.color}>{display.badge.message}</Badge>
        )}
        {display.ends_at && (
          <span className="text-muted">
            {display.state === 'Expired'
              ? t.expiredOn(formatDate(display.ends_at))
              : t.expiresOn(formatDate(display.ends_at))}
          </span>
        )}
        <span className="text-muted">
          {t.usedOf(used_formatted, current.storage_details.limit_formatted)}
        </span>
      </div>

      {payment.error && (
        <Alert tone={payment.error.tone} onDismiss={payment.dismiss}>
          <p>{payment.error.message}</p>
          {payment.error.unsettled && <CheckAgain className="mt-2" />}
        </Alert>
      )}
      {!checkoutUrl && (
        <Alert tone="info">
          {contactEmail ? (
            <Rich text={t.noOnlinePayment(contactEmail)} links={{ mail: `mailto:${contactEmail}` }} />
          ) : grantFor ? (
            <Rich text={t.giveByCommand(grantFor)} />
          ) : (
            t.noOnlinePaymentNorAddress
          )}
        </Alert>
      )}
      {!mayPay && <Alert tone="info">{t.adminOnly}</Alert>}

      {offersTrial && (
        <section
          aria-labelledby="trial-title"
          className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-accent-line bg-accent-soft px-5 py-4"
        >
          <div className="min-w-60 flex-1">
            <h2 id="trial-title" className="text-lg font-semibold">
              {trial.tryPremium(TRIAL_DAYS)}
            </h2>
            <p className="text-pretty">{trial.about(TRIAL_DAYS)}</p>
            {trialError && (
              <p role="alert" className="mt-1 text-danger-text">
                {trialError}
              </p>
            )}
          </div>
          <Button
            variant="primary"
            size="lg"
            busy={starting}
            busyLabel={trial.starting}
            isDisabled={!mayPay}
            onPress={startTrial}
          >
            {trial.start}
          </Button>
        </section>
      )}

      {current.status === 'active' && <p className="text-pretty text-muted">{t.planChange(display.title)}</p>}
      {lacksState && checkoutUrl && mayPay && (
        <p className="text-pretty text-muted">
          <Rich text={t.detailsFirst} links={{ details: '#billing' }} />
        </p>
      )}
      <div className={GRID}>
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            state={stateOf(plan, current, display.days_left)}
            disabled={!mayPay}
            writeTo={checkoutUrl || !mayPay ? null : contactEmail}
            warning={warningFor(plan)}
            onChoose={(cycle) => void payment.subscribe(plan, cycle)}
          />
        ))}
      </div>
      {plans.length === 0 && <Alert tone="info">{t.noPlans}</Alert>}
      {payment.stage && <PayingOverlay stage={payment.stage} />}
    </div>
  );
}

export const Plans = withErrorBoundary(PlansIsland);
