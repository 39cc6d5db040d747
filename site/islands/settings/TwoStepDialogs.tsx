import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { CurrentPassword, FormDialog } from './FormDialog.tsx';
import { useForm } from '../../lib/useForm.ts';

export function RenewCodesDialog({
  onClose,
  onCodes,
}: {
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}) {
  const form = useForm({ current_password: '' });

  async function renew(): Promise<void> {
    if (!form.values.current_password) return form.show({ current_password: 'Password is required' });
    const done = await api.post<{ recovery_codes: string[] }>(
      '/api/auth/two-step/recovery-codes',
      form.values,
    );
    onCodes(done.recovery_codes);
  }

  return (
    <FormDialog
      title="New recovery codes"
      form={form}
      onSubmit={form.submit(renew, 'New codes could not be made. Please try again.')}
      onClose={onClose}
      action="Create new codes"
    >
      <p className="text-muted">You get ten new codes; the old ones no longer work.</p>
      <CurrentPassword form={form} />
    </FormDialog>
  );
}

export function SwitchOffDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const form = useForm({ current_password: '', code: '' });
  const { values, errors, edit } = form;

  async function switchOff(): Promise<void> {
    const found = {
      ...(!values.current_password && { current_password: 'Password is required' }),
      ...(!values.code.trim() && { code: 'Enter the code' }),
    };
    if (Object.keys(found).length > 0) return form.show(found);
    await api.post('/api/auth/two-step/disable', values);
    toast.success('Two-step sign-in is off');
    onDone();
  }

  return (
    <FormDialog
      title="Turn off two-step sign-in?"
      form={form}
      onSubmit={form.submit(switchOff, 'Two-step sign-in could not be turned off. Please try again.')}
      onClose={onClose}
      action="Turn off"
      danger
    >
      <p className="text-muted">From then on your password alone is enough to sign in.</p>
      <CurrentPassword form={form} />
      <TextField
        label="Code from the app, or a recovery code"
        name="code"
        autoComplete="one-time-code"
        value={values.code}
        onChange={(code) => edit('code', code)}
        error={errors.code}
      />
    </FormDialog>
  );
}
