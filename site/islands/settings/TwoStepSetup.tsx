import { useState } from 'react';
import type { TwoStepSetup as Setup } from '#server/auth/contract.ts';
import * as t from '#messages/settings.ts';
import * as common from '#messages/common.ts';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { CurrentPassword } from '../../components/CurrentPassword.tsx';
import { useForm } from '../../lib/useForm.ts';

const FAILED = t.setupFailed;

/** Sets up codes from an app: asks for the password, shows the secret, then asks for a first code. */
export function TwoStepSetup({
  onClose,
  onCodes,
}: {
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}) {
  const [setup, setSetup] = useState<(Setup & { qr: string }) | null>(null);
  const form = useForm({ current_password: '', code: '' });
  const { values, errors, edit, showErrors } = form;

  async function next(): Promise<void> {
    if (setup) {
      if (!values.code.trim()) return showErrors({ code: common.codeRequired });
      const done = await api.post<{ recovery_codes: string[] }>('/api/auth/two-step/confirm', {
        code: values.code,
      });
      onCodes(done.recovery_codes);
      return;
    }
    const { current_password } = values;
    if (!current_password) return showErrors({ current_password: common.passwordRequired });
    setSetup(await api.post<Setup & { qr: string }>('/api/auth/two-step/setup', { current_password }));
  }

  return (
    <FormDialog
      title={t.setUpTwoStep}
      form={form}
      onSubmit={form.submit(next, FAILED)}
      onClose={onClose}
      action={setup ? t.turnOn : t.continueSetup}
    >
      {setup ? (
        <>
          <p className="text-pretty text-muted">{t.scanQr}</p>
          <div
            role="img"
            aria-label={t.qrCode}
            className="mx-auto size-44 overflow-hidden rounded-md border border-line bg-white [&>svg]:size-full"
            // The server generates the SVG from the secret; it contains no user input.
            dangerouslySetInnerHTML={{ __html: setup.qr }}
          />
          <details className="text-sm">
            <summary className="link w-fit">{t.cannotScan}</summary>
            <p className="mt-2 rounded-md bg-sunken px-3 py-2 font-mono break-words select-all">
              {setup.secret}
            </p>
          </details>
          <TextField
            key="code"
            label={t.codeFromApp}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            inputClassName="tabular tracking-[0.15em]"
            autoFocus
            value={values.code}
            onChange={(code) => edit('code', code)}
            error={errors.code}
          />
        </>
      ) : (
        <>
          <p className="text-pretty text-muted">{t.setupAbout}</p>
          <CurrentPassword form={form} />
        </>
      )}
    </FormDialog>
  );
}
