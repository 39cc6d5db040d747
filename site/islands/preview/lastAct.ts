import type { JudgeRow } from '#server/requests/contract.ts';

/** A decision about a file of a request. It is taken back only while its state is still this one. */
export interface Judged {
  itemId: number;
  state: JudgeRow['state'];
}

/** What Ctrl+Z takes back in a preview: the last decision about a file of a request, or the last answer about a value. */
type Act =
  ({ what: 'judged'; requestId: number } & Judged) | { what: 'answered'; takeBack: () => Promise<void> };

export const lastAct: { current: Act | null } = { current: null };
