import * as common from '#messages/common.ts';
import * as t from '#messages/items.ts';
import type { Choice } from '../../../components/ClientPicker.tsx';
import { ClientPicker } from '../../../components/ClientPicker.tsx';
import type { ClientRef } from '../../../lib/driveLocation.ts';

export interface ClientFieldProps {
  value: ClientRef | null;
  onChange: (client: ClientRef | null) => void;
  description?: string;
  placeholder?: string;
}

const NO_CLIENT: Choice = { id: 'none', label: common.noClient };

/** A picker for a client, or none. */
export const ClientField = ({
  value,
  onChange,
  description,
  placeholder = common.noClient,
}: ClientFieldProps) => (
  <ClientPicker
    label={t.clientOptional}
    placeholder={placeholder}
    value={value && { id: String(value.id), label: value.name || common.clientNumber(String(value.id)) }}
    extraOptions={[NO_CLIENT]}
    onChange={(choice) =>
      onChange(choice && choice.id !== NO_CLIENT.id ? { id: Number(choice.id), name: choice.label } : null)
    }
    description={description}
  />
);
