import * as common from '#messages/common.ts';
import { PasswordField } from './PasswordField.tsx';
import type { FieldProps } from '../lib/useForm.ts';

export const CURRENT_PASSWORD = {
  name: 'current_password',
  type: 'password',
  label: common.currentPassword,
  autoComplete: 'current-password',
} as const;

/** The current password, as the first field of a dialog that re-authenticates the user. */
export const CurrentPassword = ({
  form: { field },
}: {
  form: { field: (name: 'current_password') => FieldProps };
}) => <PasswordField {...CURRENT_PASSWORD} {...field('current_password')} autoFocus />;
