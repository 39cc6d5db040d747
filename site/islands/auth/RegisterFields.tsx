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

type Look = Pick<TextFieldProps, 'label' | 'type' | 'inputMode' | 'autoComplete' | 'description'>;

const LOOKS: Record<Exclude<Field, 'terms_accepted'>, Look> = {
  name: { label: 'Full name', autoComplete: 'name' },
  email: {
    label: 'Email',
    type: 'email',
    inputMode: 'email',
    autoComplete: 'username',
    description: 'You sign in with it.',
  },
  ca_license_number: {
    label: 'CA license number',
    autoComplete: 'off',
    description: 'ICAI membership no.',
  },
  phone: {
    label: 'Phone',
    type: 'tel',
    inputMode: 'numeric',
    autoComplete: 'tel-national',
    description: '10 digits, without the country code.',
  },
  firm_name: { label: 'Firm name', autoComplete: 'organization' },
  password: {
    label: 'Password',
    autoComplete: 'new-password',
    description: 'At least 8 characters. A short sentence is easy to keep and hard to guess.',
  },
  password_confirmation: { label: 'Confirm password', autoComplete: 'new-password' },
};

/** The fields of the first three steps. */
export function RegisterFields({ step, values, errors, onEdit }: StepProps & { step: number }) {
  const fields = (STEPS[step]?.fields ?? []) as (keyof typeof LOOKS)[];
  return (
    <>
      {/* The address was typed two steps ago. */}
      {fields.includes('password') && <UsernameHint email={values.email} />}
      {fields.map((field) => {
        const Control = field.startsWith('password') ? PasswordField : TextField;
        return (
          <Control
            key={field}
            {...LOOKS[field]}
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
