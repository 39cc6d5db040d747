import { useQuery } from '@tanstack/react-query';
import * as t from '#messages/requests.ts';
import { calls } from './calls.ts';

interface AskedAlreadyProps {
  clients: readonly { id: number }[];
  title: string;
}

/** Names the clients who have an open request of this title, whom a colleague may have asked. */
export function AskedAlready({ clients, title }: AskedAlreadyProps) {
  const { data: open = [] } = useQuery({
    queryKey: ['requests', 'open-titles'],
    queryFn: ({ signal }) => calls.list({ state: 'open' }, signal),
  });
  const ids = new Set(clients.map(({ id }) => id));
  const wanted = title.trim().toLowerCase();
  const asked = new Map(
    open
      .filter((request) => ids.has(request.client.id) && request.title.toLowerCase() === wanted)
      .map(({ client }) => [client.id, client.name]),
  );
  return (
    <p role="status" className="w-full text-sm text-warning-text empty:hidden">
      {asked.size > 0 && t.askedAlready([...asked.values()])}
    </p>
  );
}
