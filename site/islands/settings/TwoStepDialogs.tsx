import * as common from '#messages/common.ts';
import * as t from '#messages/settings.ts';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { CurrentPassword } from '../../components/CurrentPassword.tsx';
import { useForm } from '../../lib/useForm.ts';

interface RenewCodesProps {
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}

export function RenewCodesDialog({ onClose, onCodes }: RenewCodesProps) {
  const form = useForm({});
  async function renew(): Promise<void> {
    const path = '/api/auth/two-step/recovery-codes';
    onCodes((await api.post<{ recovery_codes: string[] }>(path, {})).recovery_codes);
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
    </FormDialog>
  );
}

export function SwitchOffDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const form = useForm({ current_password: '', code: '' });
  const { values, errors, edit } = form;

  async function switchOff(): Promise<void> {
    const fieldErrors = {
      ...(!values.current_password && { current_password: common.passwordRequired }),
      ...(!values.code.trim() && { code: common.codeRequired }),
    };
    if (Object.keys(fieldErrors).length > 0) return form.showErrors(fieldErrors);
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
