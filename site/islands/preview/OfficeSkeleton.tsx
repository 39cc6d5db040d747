import * as t from '#messages/preview.ts';
import { Skeleton } from '../../components/Skeleton.tsx';

const lines = (count: number) => Array.from({ length: count }, (_, index) => index);

/** The skeleton of a table, a document or an e-mail. */
export function OfficeSkeleton({ kind }: { kind: 'table' | 'document' | 'mail' }) {
  return (
    <div role="status" aria-label={t.loading} className="office-skeleton overflow-hidden">
      {kind === 'table' ? (
        <div className="flex flex-col gap-3 p-4">
          {lines(14).map((index) => (
            <Skeleton key={index} className="h-4 w-full" />
          ))}
        </div>
      ) : (
        <div className="office-room">
          {kind === 'mail' && <Skeleton className="h-32 w-full shrink-0" />}
          <div className="flex min-h-0 flex-1 flex-col gap-4 rounded-md bg-surface p-8">
            {lines(9).map((index) => (
              <Skeleton key={index} className={`h-3.5 ${index % 4 === 3 ? 'w-1/2' : 'w-full'}`} />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
