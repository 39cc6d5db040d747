import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { useForm } from './useForm.ts';

export function RenewCodesDialog({
  onClose,
  onCodes,
}: {
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}) {
  const { values, errors, banner, busy, form, edit, show, submit } = useForm({ current_password: '' });

  async function renew(): Promise<void> {
    if (!values.current_password) return show({ current_password: 'Password is required' });
    const done = await api.post<{ recovery_codes: string[] }>('/api/auth/two-step/recovery-codes', values);
    onCodes(done.recovery_codes);
  }

  return (
    <Dialog title="New recovery codes" isOpen onOpenChange={onClose}>
      <form
        ref={form}
        className="contents"
        noValidate
        onSubmit={submit(renew, 'New codes could not be made. Please try again.')}
      >
        <DialogBody className="flex flex-col gap-4">
          {banner && <Alert>{banner}</Alert>}
          <p className="text-muted">You get ten new codes; those on paper no longer work.</p>
          <PasswordField
            label="Current password"
            name="current_password"
            autoComplete="current-password"
            autoFocus
            value={values.current_password}
            onChange={(password) => edit('current_password', password)}
            error={errors.current_password}
          />
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Make new codes
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

export function SwitchOffDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { values, errors, banner, busy, form, edit, show, submit } = useForm({
    current_password: '',
    code: '',
  });

  async function switchOff(): Promise<void> {
    const found = {
      ...(!values.current_password && { current_password: 'Password is required' }),
      ...(!values.code.trim() && { code: 'Enter the code' }),
    };
    if (Object.keys(found).length > 0) return show(found);
    await api.post('/api/auth/two-step/disable', values);
    toast.success('Two-step sign-in is off');
    onDone();
  }

  return (
    <Dialog title="Switch two-step sign-in off?" isOpen onOpenChange={onClose}>
      <form
        ref={form}
        className="contents"
        noValidate
        onSubmit={submit(switchOff, 'It could not be switched off. Please try again.')}
      >
        <DialogBody className="flex flex-col gap-4">
          {banner && <Alert>{banner}</Alert>}
          <p className="text-muted">From then on the password alone opens your account.</p>
          <PasswordField
            label="Current password"
            name="current_password"
            autoComplete="current-password"
            autoFocus
            value={values.current_password}
            onChange={(password) => edit('current_password', password)}
            error={errors.current_password}
          />
          <TextField
            label="Code from the app, or a recovery code"
            name="code"
            autoComplete="one-time-code"
            value={values.code}
            onChange={(code) => edit('code', code)}
            error={errors.code}
          />
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" busy={busy}>
            Switch off
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
