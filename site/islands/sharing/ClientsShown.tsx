import { useQuery } from '@tanstack/react-query';
import type { Sums } from '#server/documents/details/contract.ts';
import { COUNTED_MOST } from '#server/documents/details/contract.ts';
import type { SharedItem } from '#server/sharing/contract.ts';
import { writeSearch } from '#server/text/search-filters.ts';
import * as t from '#messages/sharing.ts';
import { Alert } from '../../components/Alert.tsx';
import { driveHref } from '../../lib/driveLocation.ts';
import { clientFilesHref } from '../../lib/search.ts';
import { calls } from './calls.ts';

/** Clients that are listed at once; the others when they are asked for. */
const MAX_NAMES = 5;

type Client = { id: number; name: string; items: number; files: number };
const isClient = (one: NonNullable<Sums['clients']>[number]): one is Client => one.id !== null;

/**
 * A warning that a link shows documents of several clients, or of one and others that belong to none: in a client's folder
 * may lie documents of another client, or unsorted ones, which the recipient should perhaps not see. It counts and names
 * only what the user sees. Of very many items it says that not all were looked at. A link on a client's page leaves the
 * documents of other clients out, and says so instead.
 */
export function ClientsShown({
  items,
  clientId,
  onPage,
}: {
  items: readonly Pick<SharedItem, 'id' | 'type'>[];
  /** The client to whom all the items belong. */
  clientId: number | null;
  onPage: boolean;
}) {
  const ids = items.map(({ id }) => id);
  const { data } = useQuery({
    queryKey: ['share-clients', ...ids],
    queryFn: ({ signal }) => calls.sums(ids, signal),
    enabled: ids.length > 0,
    staleTime: 0,
  });
  const isOwn = ({ id }: Client) => id === clientId;
  const clients = (data?.clients ?? [])
    .filter(isClient)
    .toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
  const ofNone = data?.clients?.find(({ id }) => id === null)?.files ?? 0;
  const ofOne = clients.some(({ files }) => files > 0) && ofNone > 0;
  const areListed = clients.length > 1 || ofOne;
  if (!data || !(areListed || data.more)) return null;
  const [own] = clients;
  if (onPage) {
    const left = clients.reduce((sum, client) => (isOwn(client) ? sum : sum + client.files), 0);
    if (!own || !isOwn(own) || left + ofNone === 0) return null;
    return (
      <Alert tone={ofNone > 0 ? 'warning' : 'info'}>
        {ofNone > 0 && <p>{t.ofClientAndNone(own.name, ofNone)}</p>}
        {left > 0 && <p>{ofNone > 0 ? t.othersLeftOut(left) : t.leftOut(own.name, left)}</p>}
      </Alert>
    );
  }
  const onlyFolders = clients.some(({ files }) => files === 0);
  const count = data.client_count - (data.clients!.length - clients.length);
  const folder = items.length === 1 && items[0]?.type === 'folder' ? items[0].id : null;
  const hrefOf = (client: Client): string =>
    folder === null
      ? clientFilesHref(client)
      : driveHref({ folderId: folder, search: writeSearch('', [{ key: 'client', value: client.name }]) });
  const row = (client: Client) => (
    <li key={client.id} className="wrap-anywhere">
      {/* A new tab: the dialog keeps what is typed. */}
      <a href={hrefOf(client)} target="_blank" rel="noreferrer" className="link">
        {client.name}
      </a>
      : {client.files > 0 ? t.documents(client.files) : t.folders(client.items)}
    </li>
  );
  const [named, others] = [clients.slice(0, MAX_NAMES), clients.slice(MAX_NAMES)];
  return (
    <Alert tone="warning">
      {areListed && (
        <>
          <p>
            {ofNone > 0
              ? t.clientsAndNone(count)
              : (onlyFolders ? t.documentsAndFolders : t.severalClients)(count)}
          </p>
          <ul className="list-disc pl-5">
            {named.map(row)}
            {others.length > 0 && (
              <li>
                <details>
                  <summary className="link w-fit cursor-pointer pointer-coarse:py-3">
                    {t.maskMoreNames(count - named.length)}
                  </summary>
                  <ul className="list-disc pl-5">
                    {others.map(row)}
                    {count > clients.length && <li>{t.maskMoreNames(count - clients.length)}</li>}
                  </ul>
                </details>
              </li>
            )}
            {ofNone > 0 && <li>{t.ofNoClient(ofNone)}</li>}
          </ul>
        </>
      )}
      {data.more && <p>{t.notAllLookedAt(COUNTED_MOST)}</p>}
    </Alert>
  );
}
