import { Checkbox } from '../../components/Checkbox.tsx';
import { LINKS } from '../../lib/addresses.ts';
import type { StepProps } from './RegisterFields.tsx';

const linked = (text: string, href: string | null) =>
  href ? (
    <a href={href} target="_blank" rel="noopener" className="link">
      {text}
    </a>
  ) : (
    text
  );

/** The last step: everything once more, and the terms. */
export function RegisterReview({ values, errors, onEdit }: StepProps) {
  const rows = [
    ['Name', values.name],
    ['Email', values.email],
    ['License', values.ca_license_number],
    ['Firm', values.firm_name],
    ['Phone', values.phone],
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
        I accept the {linked('Terms of Service', LINKS.terms)} and the{' '}
        {linked('Privacy Policy', LINKS.privacy)}
      </Checkbox>
    </>
  );
}
