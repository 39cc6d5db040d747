import * as t from '#messages/access.ts';
import { Skeleton } from '../../components/Skeleton.tsx';

/** A placeholder for a list of people. */
export const LoadingPeople = () => (
  <div role="status" aria-busy="true" aria-label={t.loadingPeople} className="flex flex-col gap-3 py-2">
    {[40, 55, 35].map((width) => (
      <span key={width} className="flex items-center gap-3">
        <Skeleton className="size-8 rounded-full" />
        <span style={{ width: `${width}%` }}>
          <Skeleton className="h-4" />
        </span>
      </span>
    ))}
  </div>
);
