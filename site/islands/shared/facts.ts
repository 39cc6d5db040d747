import * as t from '#messages/sharing.ts';
import { relativeTime } from '../../lib/format.ts';

type Fact = string | false | null;

interface Openings {
  opened: number;
  last_opened_at: string | null;
  last_opened_by?: string | null;
  last_opened_from: string | null;
}

/** How often and when it was opened. */
export const openingFacts = (
  { opened, last_opened_at, last_opened_by = null, last_opened_from }: Openings,
  now: number,
): Fact[] => [
  opened === 0 ? t.neverOpened : t.openedTimes(opened),
  last_opened_at && t.lastOpened(relativeTime(last_opened_at, now), last_opened_by, last_opened_from),
];

/** The facts in one line, without those that do not apply. */
export const joinFacts = (facts: readonly Fact[]): string => facts.filter(Boolean).join(' · ');
