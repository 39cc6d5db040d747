import { subscribeToChanges } from '../../lib/liveUpdates.ts';
import { token } from '../../lib/token.ts';
import { extractions } from '../archive/extractions.ts';
import { queue } from './uploads.ts';

/** Follows what runs at the server: from before the page was loaded, and what uploads begin. */
export function watchExtractions(): () => void {
  const resume = () => void extractions.resume().catch(() => {});
  if (token.get()) resume();
  // Begun or ended on another device of this user.
  const off = subscribeToChanges((pieces) => pieces.some(({ kind }) => kind === 'jobs') && resume());
  const offQueue = queue.onCompleted(({ result }) => {
    if (result?.extraction_id) void extractions.adopt(result.extraction_id).catch(() => {});
  });
  return () => {
    off();
    offQueue();
  };
}
