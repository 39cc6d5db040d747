import { useEffect, useState } from 'react';
import type { ProofWays, SecondWay } from '#server/auth/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/stepUp.ts';
import { CurrentPassword } from '../../components/CurrentPassword.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { UsernameHint } from '../../components/UsernameHint.tsx';
import { api } from '../../lib/api.ts';
import { proveWithPasskey } from '../../lib/passkeys.ts';
import { useForm } from '../../lib/useForm.ts';

type Way = SecondWay | 'password';
const LABELS: Record<Way, string> = {
  password: t.withPassword,
  app: t.withCode,
  passkey: t.withPasskey,
};

/** Re-authenticates the user by password, code or passkey before a sensitive action. */
export function ConfirmIdentity({ email, onAnswer }: { email: string; onAnswer: (proved: boolean) => void }) {
  const [ways, setWays] = useState<Way[]>(['password']);
  const [way, setWay] = useState<Way>('password');
  const form = useForm({ current_password: '', code: '' });
  const { values, field, showErrors, showMessage } = form;

  useEffect(() => {
    // Only the password is offered until the other ways are loaded, or if loading fails.
    void api.get<ProofWays>('/api/auth/prove').then(
      (available) => setWays(['password', ...available.ways]),
      () => undefined,
    );
  }, []);

  async function prove(): Promise<void> {
    if (way === 'password' && !values.current_password)
      return showErrors({ current_password: common.passwordRequired });
    if (way === 'app' && !values.code.trim()) return showErrors({ code: common.codeRequired });
    if (way === 'passkey') await proveWithPasskey();
    else
      await api.post(
        '/api/auth/prove',
        way === 'app' ? { code: values.code } : { current_password: values.current_password },
      );
    return onAnswer(true);
  }

  function swap(to: Way): void {
    setWay(to);
    showMessage(undefined);
  }

  return (
    <FormDialog
      title={t.title}
      form={form}
      onSubmit={form.submit(prove, t.failed)}
      onClose={() => onAnswer(false)}
      action={t.confirm}
    >
      <p className="text-pretty text-muted">{way === 'passkey' ? t.passkeyAbout : t.about}</p>
      <UsernameHint email={email} />
      {way === 'password' && <CurrentPassword form={form} />}
      {way === 'app' && (
        <TextField
          label={t.codeFromApp}
          {...field('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          inputClassName="tabular tracking-[0.15em]"
          autoFocus
        />
      )}
      {ways.length > 1 && (
        <div className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <button key={other} type="button" className="link" onClick={() => swap(other)}>
                {LABELS[other]}
              </button>
            ))}
        </div>
      )}
    </FormDialog>
  );
}
