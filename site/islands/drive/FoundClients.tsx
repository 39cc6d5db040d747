import { useQuery } from '@tanstack/react-query';
import { initials } from '#server/auth/contract.ts';
import * as t from '#messages/drive.ts';
import { Avatar } from '../../components/Avatar.tsx';
import {
  describeClient,
  clientHref,
  clientSearchHref,
  clientFilesHref,
  searchItems,
} from '../../lib/search.ts';

export const foundClientsKey = (search: string) => ['found-clients', search] as const;

/** The clients that match a search, above its results, each with links to its page and its files. */
export function FoundClients({ search }: { search: string }) {
  const { data } = useQuery({
    queryKey: foundClientsKey(search),
    queryFn: async ({ signal }) => {
      const { clients, moreClients } = await searchItems(search, { limit: 1, signal });
      return { clients, moreClients };
    },
  });
  // The section is optional: on failure the results below still work.
  if (!data || data.clients.length === 0) return null;
  return (
    <section aria-labelledby="found-clients" className="mb-3 rounded-lg border border-line px-2 pt-2 pb-1">
      <div className="flex items-baseline justify-between gap-4 px-2">
        <h2 id="found-clients" className="text-xs font-medium text-muted">
          {t.clients}
        </h2>
        {data.moreClients && (
          <a href={clientSearchHref(search)} className="text-xs text-accent-text">
            {t.allClients}
          </a>
        )}
      </div>
      <ul className="grid grid-cols-1 gap-x-2 md:grid-cols-2 xl:grid-cols-3">
        {data.clients.map((client) => (
          <li key={client.id} className="flex min-w-0 items-center">
            <a
              href={clientHref(client.id)}
              className="flex h-11 min-w-0 flex-1 items-center gap-2.5 rounded-sm px-2 text-text no-underline hover:bg-hover"
            >
              <Avatar initials={initials(client.name)} size="sm" />
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="truncate text-sm leading-[22px]">{client.name}</span>
                <span className="truncate text-xs leading-4 text-muted">{describeClient(client)}</span>
              </span>
            </a>
            <a
              href={clientFilesHref(client)}
              aria-label={t.filesOf(client.name)}
              className="flex h-11 shrink-0 items-center rounded-sm px-2 text-sm text-accent-text hover:bg-hover"
            >
              {t.files}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
