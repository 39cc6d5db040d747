import * as common from '#messages/common.ts';
import * as t from '#messages/auth.ts';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Rich } from '../../components/Rich.tsx';
import { LINKS } from '../../lib/addresses.ts';
import type { StepProps } from './RegisterFields.tsx';

/** The last step: a review of the entered data, and the terms. */
export function RegisterReview({ values, errors, onEdit }: StepProps) {
  const rows = [
    [common.name, values.name],
    [common.email, values.email],
    [t.reviewLicense, values.ca_license_number],
    [t.reviewFirm, values.firm_name],
    [common.phone, values.phone],
  ];
  return (
    <>
      <dl className="divide-y divide-line rounded-md border border-line">
        {rows.map(([term, value]) => (
          <div key={term} className="grid grid-cols-[5.5rem_1fr] gap-3 px-3.5 py-2.5">
            <dt className="text-muted">{term}</dt>
            <dd className="min-w-0 font-medium break-words tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        name="terms_accepted"
        isRequired
        isSelected={values.terms_accepted}
        onChange={(accepted) => onEdit('terms_accepted', accepted)}
        error={errors.terms_accepted}
      >
        <Rich text={t.acceptTerms} links={{ terms: LINKS.terms, privacy: LINKS.privacy }} blank />
      </Checkbox>
    </>
  );
}
