import { useState } from 'react';
import type { ShareSettings } from '#server/sharing/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/sharing.ts';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../lib/toast.ts';
import { calls } from '../sharing/calls.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { useSaving } from '../../lib/useSaving.ts';

/** The firm's settings for shared links. */
export function Sharing({ settings }: { settings: ShareSettings }) {
  const [enabled, setEnabled] = useState(settings.enabled);
  const [days, setDays] = useState(String(settings.max_days));
  const { busy, fault, submit } = useSaving(t.failed);
  const save = submit(async () => {
    const saved = await calls.set({ enabled, max_days: Number(days) });
    setEnabled(saved.enabled);
    setDays(String(saved.max_days));
    toast.success(t.settingsSaved);
  });
  return (
    <form noValidate className="flex flex-col items-start gap-4" onSubmit={(event) => void save(event)}>
      <ErrorAlert error={fault} />
      <Checkbox isSelected={enabled} description={t.enabledHint} onChange={setEnabled}>
        {t.enabled}
      </Checkbox>
      <TextField
        label={t.maxDays}
        inputMode="numeric"
        value={days}
        onChange={setDays}
        className="w-full sm:w-64"
      />
      <Button type="submit" busy={busy} busyLabel={common.saving}>
        {common.save}
      </Button>
    </form>
  );
}
