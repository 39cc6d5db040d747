import { momentInWords } from '#server/text/day-in-india.ts';
import type { RemoteTime } from './remote-time.ts';

const MINUTE = 60_000;
/** More than a synchronised clock drifts, and less than authenticator codes or an S3 bucket tolerate. */
const TOLERANCE_MS = 5 * MINUTE;

const lengthInWords = (ms: number): string => {
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
};

/**
 * How far the local clock is ahead of the remote time, in ms; the smaller error where the clock was corrected,
 * or the machine slept, since the observation.
 */
function offset(now: Date, ticks: number, { time, wall, ticks: then }: RemoteTime): number {
  const [atThatTime, byNow] = [wall - time.getTime(), now.getTime() - (time.getTime() + ticks - then)];
  return Math.abs(atThatTime) < Math.abs(byNow) ? atThatTime : byNow;
}

/**
 * Why the machine's clock must be wrong, in a sentence; null when there is no sign of it.
 * @param recorded time of the last saved entry, which cannot lie in the future; null when unknown.
 * @param remote time that another machine reported; null without one.
 * @param ticks the monotonic clock of `remote`, now, in ms.
 */
export function clockFault(
  now: Date,
  { recorded, remote, ticks }: { recorded: Date | null; remote: RemoteTime | null; ticks: number },
): string | null {
  const off = remote ? offset(now, ticks, remote) : 0;
  if (remote && Math.abs(off) > TOLERANCE_MS)
    return `It is ${lengthInWords(Math.abs(off))} ${off > 0 ? 'ahead' : 'behind'}, by what ${remote.host} says: here it is ${momentInWords(now)}.`;
  const early = recorded ? recorded.getTime() - now.getTime() : 0;
  // A remote time has just confirmed this clock: the earlier one was wrong.
  if (!recorded || remote || early <= TOLERANCE_MS) return null;
  return `It says ${momentInWords(now)}, but something was saved here on ${momentInWords(recorded)}: it is ${lengthInWords(early)} behind, or was ahead then.`;
}
