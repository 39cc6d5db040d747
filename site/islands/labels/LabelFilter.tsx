import * as t from '#messages/labels.ts';
import { Select } from '../../components/Select.tsx';
import { useLabels } from './calls.ts';

const ANY = 'any';

export interface LabelFilterProps {
  /** A label's id, or '' for any. */
  value: string;
  onChange: (value: string) => void;
}

/** Filters a list by label. Renders nothing if the firm has no labels. */
export function LabelFilter({ value, onChange }: LabelFilterProps) {
  const { data = [] } = useLabels();
  if (data.length === 0 && value === '') return null;
  const options = [
    { id: ANY, label: t.all },
    ...data.map(({ id, name, colour }) => ({
      id: String(id),
      label: name,
      icon: <span aria-hidden="true" data-colour={colour} className="label-dot" />,
    })),
  ];
  return (
    <Select
      label={t.label}
      hideLabel
      options={options}
      value={value || ANY}
      onChange={(key) => onChange(key === ANY ? '' : String(key))}
      className="min-w-max flex-1 lg:w-36 lg:flex-none"
    />
  );
}
