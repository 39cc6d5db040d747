import { token } from '../../lib/token.ts';
import { extractions } from '../archive/extractions.ts';
import { queue } from './uploads.ts';

/** Follows what runs at the server: from before the page was loaded, and what uploads begin. */
export function watchExtractions(): () => void {
  if (token.get()) void extractions.resume().catch(() => {});
  return queue.onCompleted(({ result }) => {
    if (result?.extraction_id) void extractions.adopt(result.extraction_id).catch(() => {});
  });
}
