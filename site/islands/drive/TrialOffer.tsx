import { useState } from 'react';
import { TRIAL_DAYS } from '#server/subscription/contract.ts';
import * as t from '#messages/subscription.ts';
import { Button } from '../../components/Button.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { flash, toast } from '../../lib/toast.ts';

/** Offers the trial on the empty drive. It starts only by this button, never by registration alone. */
export function TrialOffer() {
  const [busy, setBusy] = useState(false);

  async function start(): Promise<void> {
    setBusy(true);
    try {
      const { message } = await api.send('POST', '/api/subscription/trial/start');
      flash({ title: message ?? t.trialStarted });
      // Reload, since many parts of the page show the plan.
      location.reload();
    } catch (error) {
      toast.error(messageOf(error, t.trialFailed));
      setBusy(false);
    }
  }

  return (
    <section
      aria-labelledby="trial-title"
      data-needs="billing.manage"
      className="mx-auto mb-8 flex max-w-xl flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-accent-line bg-accent-soft px-5 py-4"
    >
      <div className="min-w-0 flex-1 basis-60">
        <h2 id="trial-title" className="font-semibold">
          {t.tryPremium(TRIAL_DAYS)}
        </h2>
        <p className="text-pretty text-muted">{t.trialAbout(TRIAL_DAYS)}</p>
      </div>
      <Button busy={busy} busyLabel={t.starting} onPress={() => void start()}>
        {t.startTrial}
      </Button>
    </section>
  );
}
