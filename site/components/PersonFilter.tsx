import { Select } from './Select.tsx';

const ANY = 'any';

export interface PersonFilterProps {
  label: string;
  /** The label of the option for all people. */
  everybody: string;
  people: readonly { value: number; label: string }[];
  /** A person's id, or '' for all. */
  value: string;
  onChange: (person: string) => void;
}

/** Filters by a person of the firm; renders nothing when there is only one. */
export function PersonFilter({ label, everybody, people, value, onChange }: PersonFilterProps) {
  if (people.length < 2) return null;
  return (
    <Select
      label={label}
      hideLabel
      options={[
        { id: ANY, label: everybody },
        ...people.map(({ value: id, label: name }) => ({ id: String(id), label: name })),
      ]}
      value={value || ANY}
      onChange={(key) => onChange(key === ANY ? '' : String(key))}
      className="min-w-[40%] flex-1 sm:min-w-24 lg:w-40 lg:flex-none"
    />
  );
}
