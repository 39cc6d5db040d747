import type { ItemView } from '#server/documents/contract.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { Failure } from './Failure.tsx';

interface ReadFailureProps {
  error: unknown;
  item: ItemView;
  onRetry: () => void;
}

/** Why the server could not convert a file; a permanent refusal has no retry button. */
export function ReadFailure({ error, item, onRetry }: ReadFailureProps) {
  const final = error instanceof ApiError && error.status === 422;
  const title = messageOf(error, 'Failed to load preview. Please try again.');
  return <Failure title={title} item={item} {...(!final && { onRetry })} />;
}
