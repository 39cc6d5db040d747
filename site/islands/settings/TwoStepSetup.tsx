import { useState } from 'react';
import type { TwoStepSetup as Setup } from '#server/auth/contract.ts';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { CurrentPassword, FormDialog } from './FormDialog.tsx';
import { useForm } from '../../lib/useForm.ts';

const FAILED = 'Two-step sign-in could not be set up. Please try again.';

/** Proves who asks, shows the secret, and has the app prove that it knows it. */
export function TwoStepSetup({
  onClose,
  onCodes,
}: {
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}) {
  const [setup, setSetup] = useState<(Setup & { qr: string }) | null>(null);
  const form = useForm({ current_password: '', code: '' });
  const { values, errors, edit, show } = form;

  async function next(): Promise<void> {
    if (setup) {
      if (!values.code.trim()) return show({ code: 'Enter the code' });
      const done = await api.post<{ recovery_codes: string[] }>('/api/auth/two-step/confirm', {
        code: values.code,
      });
      onCodes(done.recovery_codes);
      return;
    }
    const { current_password } = values;
    if (!current_password) return show({ current_password: 'Password is required' });
    setSetup(await api.post<Setup & { qr: string }>('/api/auth/two-step/setup', { current_password }));
  }

  return (
    <FormDialog
      title="Set up two-step sign-in"
      form={form}
      onSubmit={form.submit(next, FAILED)}
      onClose={onClose}
      action={setup ? 'Turn on' : 'Continue'}
    >
      {setup ? (
        <>
          <p className="text-pretty text-muted">
            Scan this with an authenticator app, such as Google Authenticator, Microsoft Authenticator or
            Aegis.
          </p>
          <div
            role="img"
            aria-label="QR code for the authenticator app"
            className="mx-auto size-44 overflow-hidden rounded-md border border-line bg-white [&>svg]:size-full"
            // Made by our own server out of the secret; there is nothing of a user in it.
            dangerouslySetInnerHTML={{ __html: setup.qr }}
          />
          <details className="text-sm">
            <summary className="link w-fit">Cannot scan it? Enter the key instead</summary>
            <p className="mt-2 rounded-md bg-sunken px-3 py-2 font-mono break-words select-all">
              {setup.secret}
            </p>
          </details>
          <TextField
            key="code"
            label="Code from the app"
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
          <p className="text-pretty text-muted">
            Signing in will ask for your password and a code from your phone, so nobody can sign in with a
            stolen password alone.
          </p>
          <CurrentPassword form={form} />
        </>
      )}
    </FormDialog>
  );
}
