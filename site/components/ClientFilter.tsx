import * as t from '#messages/common.ts';
import { ClientPicker } from './ClientPicker.tsx';

const NO_CLIENT = { id: 'none', label: t.noClient };

export interface ClientFilterProps {
  /** A client's id, `none` for items without a client, or '' for all. */
  client: string;
  clientName: string;
  onChange: (chosen: { client: string; clientName: string }) => void;
}

/** Filters a list by client: one client, no client, or all. */
export function ClientFilter({ client, clientName, onChange }: ClientFilterProps) {
  const selected =
    client === 'none' ? NO_CLIENT : { id: client, label: clientName || t.clientNumber(client) };
  return (
    <ClientPicker
      label={t.client}
      hideLabel
      placeholder={t.allClients}
      filters
      value={client === '' ? null : selected}
      extraOptions={[NO_CLIENT]}
      onChange={(choice) =>
        onChange({
          client: choice?.id ?? '',
          clientName: choice && choice.id !== 'none' ? choice.label : '',
        })
      }
      className="min-w-32 flex-1 lg:w-44 lg:flex-none"
    />
  );
}
