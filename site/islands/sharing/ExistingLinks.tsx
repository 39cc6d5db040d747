import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/sharing.ts';
import { calls } from './calls.ts';
import { $sharedItems } from './sharedItems.ts';

/** Items that are listed by name; the rest are counted. */
const MAX_NAMES = 5;
const BOX = 'rounded-md border border-line bg-sunken px-3 py-2';

const hrefOf = (id: number): string => `/shared?item=${id}`;

/** Says how many open links there are to an item. */
export function LinksOfItem({ id }: { id: number }) {
  const { data: links = [] } = useQuery({
    queryKey: ['shares', 'of', id],
    queryFn: ({ signal }) => calls.list({ item: id }, signal),
    staleTime: 0,
  });
  const open = links.filter(({ state }) => state === 'open').length;
  if (open === 0) return null;
  return (
    <p className={BOX}>
      {t.existingLinks(open)}{' '}
      <a href={hrefOf(id)} className="link">
        {t.manage}
      </a>
    </p>
  );
}

/** Names the items among these to which there is an open link. */
export function SharedAmong({ items }: { items: readonly Pick<ItemView, 'id' | 'name'>[] }) {
  const sharedItems = useStore($sharedItems, { ssr: 'initial' });
  const shared = items.filter(({ id }) => sharedItems.has(id));
  if (shared.length === 0) return null;
  return (
    <div className={BOX}>
      <p>{t.someHaveLinks}</p>
      <ul className="list-disc pl-5">
        {shared.slice(0, MAX_NAMES).map(({ id, name }) => (
          <li key={id} className="wrap-anywhere">
            <a href={hrefOf(id)} className="link">
              {name}
            </a>
          </li>
        ))}
        {shared.length > MAX_NAMES && <li>{t.moreItems(shared.length - MAX_NAMES)}</li>}
      </ul>
    </div>
  );
}
