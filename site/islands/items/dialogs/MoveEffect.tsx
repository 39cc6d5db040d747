import { useQuery } from '@tanstack/react-query';
import type { ItemView } from '#server/documents/contract.ts';
import { Alert } from '../../../components/Alert.tsx';
import { MiddleCut } from '../../../components/MiddleCut.tsx';
import * as d from '#messages/itemDialogs.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';

/** To whom the items would belong after a move to this folder. */
export function MoveEffect({ items, to }: { items: readonly ItemView[]; to: number | null }) {
  const ids = items.map(({ id }) => id);
  const { data } = useQuery({
    queryKey: ['move-preview', ids, to],
    queryFn: ({ signal }) => documentCalls.previewMove(ids, to, signal),
    staleTime: 0,
    gcTime: 0,
  });
  // The move reports its failure.
  if (!data?.to) return null;
  const { to: client, from, count, staying, inside } = data;
  const warns = from.length > 0 || staying.count > 0 || inside.count > 0;
  const text = count > 0 && d.willBelong(count, items.length, client, from);
  return (
    <>
      {count === 0 && (
        <p className="flex shrink-0 text-sm text-muted">
          <MiddleCut text={d.folderOfClient(client)} />
        </p>
      )}
      {text && from.length === 0 && (
        <p role="status" className="shrink-0 text-sm text-muted">
          {text}
          {inside.more && !warns && ` ${d.someInsideStay}`}
        </p>
      )}
      {warns && (
        <Alert tone="warning" className="shrink-0">
          {from.length > 0 && <p>{text}</p>}
          {staying.count > 0 && <p>{d.willStay(staying.count, items.length, staying.clients)}</p>}
          {inside.count > 0 && <p>{d.insideWillStay(inside.count, inside.clients)}</p>}
          {inside.more && <p>{d.someInsideStay}</p>}
        </Alert>
      )}
    </>
  );
}
