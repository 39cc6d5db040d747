import * as common from '#messages/common.ts';
import * as t from '#messages/settings.ts';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { CurrentPassword } from '../../components/CurrentPassword.tsx';
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
    if (!form.values.current_password) return form.show({ current_password: common.passwordRequired });
    const done = await api.post<{ recovery_codes: string[] }>(
      '/api/auth/two-step/recovery-codes',
      form.values,
    );
    onCodes(done.recovery_codes);
  }

  return (
    <FormDialog
      title={t.newCodes}
      form={form}
      onSubmit={form.submit(renew, t.newCodesFailed)}
      onClose={onClose}
      action={t.createCodes}
    >
      <p className="text-muted">{t.newCodesAbout}</p>
      <CurrentPassword form={form} />
    </FormDialog>
  );
}

export function SwitchOffDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const form = useForm({ current_password: '', code: '' });
  const { values, errors, edit } = form;

  async function switchOff(): Promise<void> {
    const found = {
      ...(!values.current_password && { current_password: common.passwordRequired }),
      ...(!values.code.trim() && { code: common.codeRequired }),
    };
    if (Object.keys(found).length > 0) return form.show(found);
    await api.post('/api/auth/two-step/disable', values);
    toast.success(t.twoStepOff);
    onDone();
  }

  return (
    <FormDialog
      title={t.turnOffTwoStep}
      form={form}
      onSubmit={form.submit(switchOff, t.turnOffFailed)}
      onClose={onClose}
      action={t.turnOff}
      danger
    >
      <p className="text-muted">{t.turnOffAbout}</p>
      <CurrentPassword form={form} />
      <TextField
        label={t.codeOrRecoveryCode}
        name="code"
        autoComplete="one-time-code"
        value={values.code}
        onChange={(code) => edit('code', code)}
        error={errors.code}
      />
    </FormDialog>
  );
}
