import { useState } from 'react';
import { TRIAL_DAYS } from '#server/subscription/contract.ts';
import * as trial from '#messages/trial.ts';
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
      flash({ title: message ?? trial.started });
      // Reload, since many parts of the page show the plan.
      location.reload();
    } catch (error) {
      toast.error(messageOf(error, trial.failed));
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
          {trial.tryPremium(TRIAL_DAYS)}
        </h2>
        <p className="text-pretty text-muted">{trial.about(TRIAL_DAYS)}</p>
      </div>
      <Button busy={busy} busyLabel={trial.starting} onPress={() => void start()}>
        {trial.start}
      </Button>
    </section>
  );
}
