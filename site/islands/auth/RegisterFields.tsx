import * as common from '#messages/common.ts';
import * as t from '#messages/auth.ts';
import { PasswordField } from '../../components/PasswordField.tsx';
import type { TextFieldProps } from '../../components/TextField.tsx';
import { TextField } from '../../components/TextField.tsx';
import { UsernameHint } from '../../components/UsernameHint.tsx';
import type { Errors, Field, Values } from '../../lib/registration.ts';
import { STEPS } from '../../lib/registration.ts';

export interface StepProps {
  values: Values;
  errors: Errors;
  onEdit: (field: Field, value: string | boolean) => void;
}

type FieldProps = Pick<TextFieldProps, 'label' | 'type' | 'inputMode' | 'autoComplete' | 'description'>;

const FIELD_PROPS: Record<Exclude<Field, 'terms_accepted'>, FieldProps> = {
  name: { label: common.fullName, autoComplete: 'name' },
  email: {
    label: common.email,
    type: 'email',
    inputMode: 'email',
    autoComplete: 'username',
    description: t.registrationEmailHint,
  },
  ca_license_number: {
    label: common.licenseNumber,
    autoComplete: 'off',
    description: common.licenseHint,
  },
  phone: {
    label: common.phone,
    type: 'tel',
    inputMode: 'numeric',
    autoComplete: 'tel-national',
    description: t.phoneHint,
  },
  firm_name: { label: common.firmName, autoComplete: 'organization' },
  password: {
    label: common.password,
    autoComplete: 'new-password',
    description: common.passwordHint,
  },
  password_confirmation: { label: t.confirmPassword, autoComplete: 'new-password' },
};

/** The fields of the first three steps. */
export function RegisterFields({ step, values, errors, onEdit }: StepProps & { step: number }) {
  const fields = (STEPS[step]?.fields ?? []) as (keyof typeof FIELD_PROPS)[];
  return (
    <>
      {/* The e-mail field is in an earlier step. */}
      {fields.includes('password') && <UsernameHint email={values.email} />}
      {fields.map((field) => {
        const Control = field.startsWith('password') ? PasswordField : TextField;
        return (
          <Control
            key={field}
            {...FIELD_PROPS[field]}
            name={field}
            size="lg"
            isRequired
            value={values[field]}
            onChange={(value: string) => onEdit(field, value)}
            error={errors[field]}
          />
        );
      })}
    </>
  );
}
