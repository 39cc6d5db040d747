import { useQuery } from '@tanstack/react-query';
import { Select } from '../../../components/Select.tsx';
import { calls } from '../calls.ts';

export interface ClientFieldProps {
  value: number | null;
  onChange: (id: number | null) => void;
  description?: string;
}

const NONE = 'no-client';

/** Which client something belongs to; none, if it belongs to nobody. */
export function ClientField({ value, onChange, description }: ClientFieldProps) {
  const { data, isError } = useQuery({ queryKey: ['client-options'], queryFn: calls.clientOptions });
  const options = [
    { id: NONE, label: 'No Client' },
    ...(data ?? []).map(({ value: id, label }) => ({ id: String(id), label })),
  ];
  return (
    <Select
      label="Client (optional)"
      options={options}
      value={value === null ? NONE : String(value)}
      onChange={(key) => onChange(key === null || key === NONE ? null : Number(key))}
      description={isError ? 'The clients could not be loaded. You can choose one later.' : description}
    />
  );
}
