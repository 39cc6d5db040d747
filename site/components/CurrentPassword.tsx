import * as common from '#messages/common.ts';
import { PasswordField } from './PasswordField.tsx';
import type { Bound } from '../lib/useForm.ts';

/** Proves who asks; the first field of its dialog. */
export const CurrentPassword = ({
  form: { field },
}: {
  form: { field: (name: 'current_password') => Bound };
}) => (
  <PasswordField
    label={common.currentPassword}
    {...field('current_password')}
    autoComplete="current-password"
    autoFocus
  />
);
