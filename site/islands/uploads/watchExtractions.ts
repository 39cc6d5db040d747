import { subscribeToChanges } from '../../lib/liveUpdates.ts';
import { token } from '../../lib/token.ts';
import { extractions } from '../archive/extractions.ts';
import { queue } from './uploads.ts';

/** Follows the extractions of ZIP files on the server: those that ran before this page was loaded, and those of its uploads. */
export function watchExtractions(): () => void {
  const resume = () => void extractions.resume().catch(() => {});
  if (token.get()) resume();
  // Started or ended on another device of this user.
  const unsubscribe = subscribeToChanges((pieces) => pieces.some(({ kind }) => kind === 'jobs') && resume());
  const unsubscribeQueue = queue.onCompleted(({ result }) => {
    if (result?.extraction_id) void extractions.adopt(result.extraction_id).catch(() => {});
  });
  return () => {
    unsubscribe();
    unsubscribeQueue();
  };
}
