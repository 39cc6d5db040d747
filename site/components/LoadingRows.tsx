import * as common from '#messages/common.ts';
import { Skeleton } from './Skeleton.tsx';

/** A placeholder for a list that is loading. */
export const LoadingRows = () => (
  <div aria-busy="true" aria-label={common.loading} role="status">
    {Array.from({ length: 8 }, (_, line) => (
      <div key={line} className="flex h-9 items-center gap-3 border-b border-line px-9">
        <Skeleton className="size-5" />
        <Skeleton className="h-3.5 flex-1" />
        <Skeleton className="h-3.5 w-24 max-sm:hidden" />
        <Skeleton className="h-3.5 w-16" />
      </div>
    ))}
  </div>
);
