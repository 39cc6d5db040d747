import * as t from '#messages/common.ts';
import { ClientPicker } from './ClientPicker.tsx';

const NOBODY = { id: 'none', label: t.noClient };

export interface ClientFilterProps {
  /** A client's id, `none`, or '' for any. */
  client: string;
  clientName: string;
  onChange: (chosen: { client: string; clientName: string }) => void;
}

/** Chooses whose items a list shows: those of one client, of none, or of all. */
export function ClientFilter({ client, clientName, onChange }: ClientFilterProps) {
  const one = client === 'none' ? NOBODY : { id: client, label: clientName || t.clientNumber(client) };
  return (
    <ClientPicker
      label={t.client}
      hideLabel
      placeholder={t.allClients}
      value={client === '' ? null : one}
      also={[NOBODY]}
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
