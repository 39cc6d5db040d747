import { subscribeToChanges } from '../../lib/liveUpdates.ts';
import { token } from '../../lib/token.ts';
import { extractions } from '../archive/extractions.ts';
import { queue } from './uploads.ts';

/** Follows extraction jobs: those running when the page was loaded, and those started by uploads. */
export function watchExtractions(): () => void {
  const resume = () => void extractions.resume().catch(() => {});
  if (token.get()) resume();
  // Started or ended on another device of the user.
  const off = subscribeToChanges((pieces) => pieces.some(({ kind }) => kind === 'jobs') && resume());
  const offQueue = queue.onCompleted(({ result }) => {
    if (result?.extraction_id) void extractions.adopt(result.extraction_id).catch(() => {});
  });
  return () => {
    off();
    offQueue();
  };
}
