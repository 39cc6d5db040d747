import { momentInWords } from '#server/text/day-in-india.ts';
import type { HeardTime } from './heard-time.ts';

const MINUTE = 60_000;
/** More than clocks drift that are kept right, and less than what codes from a phone or a bucket put up with. */
const MOST = 5 * MINUTE;

const lengthInWords = (ms: number): string => {
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
};

/** By how much the clock is ahead of what was heard, in ms; less than that when it was put right since, or the machine slept. */
function ahead(now: Date, ticks: number, { said, wall, ticks: then }: HeardTime): number {
  const [atThatTime, byNow] = [wall - said.getTime(), now.getTime() - (said.getTime() + ticks - then)];
  return Math.abs(atThatTime) < Math.abs(byNow) ? atThatTime : byNow;
}

/**
 * Why the machine's clock must be wrong, in a sentence; null while nothing speaks against it.
 * @param recorded when something was last saved here, which cannot be later than now; null where that is not known.
 * @param heard what another machine said; null where none was asked.
 * @param ticks ms, by the clock by which `heard` was noted.
 */
export function clockFault(
  now: Date,
  { recorded, heard, ticks }: { recorded: Date | null; heard: HeardTime | null; ticks: number },
): string | null {
  const off = heard ? ahead(now, ticks, heard) : 0;
  if (heard && Math.abs(off) > MOST)
    return `It is ${lengthInWords(Math.abs(off))} ${off > 0 ? 'ahead' : 'behind'}, by what ${heard.host} says: here it is ${momentInWords(now)}.`;
  const early = recorded ? recorded.getTime() - now.getTime() : 0;
  // What was heard speaks for this clock: the one of that time was wrong.
  if (!recorded || heard || early <= MOST) return null;
  return `It says ${momentInWords(now)}, but something was saved here on ${momentInWords(recorded)}: it is ${lengthInWords(early)} behind, or was ahead then.`;
}
