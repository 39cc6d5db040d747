import { X } from 'lucide-react';
import * as t from '#messages/requests.ts';
import { IconButton } from '../../components/IconButton.tsx';

type Client = { id: number; name: string };

/** The clients who are asked, the last one chosen first: a wrong choice is seen at once in a long list too. */
export function ChosenClients({
  clients,
  onChange,
}: {
  clients: readonly Client[];
  onChange: (clients: readonly Client[]) => void;
}) {
  return (
    <>
      {clients.length > 1 && (
        <p role="status" className="text-sm text-muted">
          {t.clientsChosen(clients.length)}
        </p>
      )}
      <ul
        aria-label={t.clients}
        className="flex max-h-32 flex-wrap gap-1.5 overflow-y-auto has-[>:nth-child(9)]:rounded-md has-[>:nth-child(9)]:border has-[>:nth-child(9)]:border-line has-[>:nth-child(9)]:p-2"
      >
        {clients.map(({ id, name }) => (
          <li
            key={id}
            className="flex max-w-full min-w-0 items-center gap-1 rounded-full bg-sunken py-0.5 pr-0.5 pl-2.5 text-sm"
          >
            <span title={name} className="max-w-60 truncate">
              {name}
            </span>
            <IconButton
              label={t.removeClient(name)}
              size="sm"
              onPress={() => onChange(clients.filter((client) => client.id !== id))}
            >
              <X aria-hidden size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
    </>
  );
}
