/** What the last update of this installation did, for its admins. */
export interface UpdateView {
  /** Versions, such as `1.4.0`. */
  from: string;
  to: string;
  /** `back`: the new version did not work, and the one before runs again. */
  outcome: 'done' | 'back' | 'underway';
  /** ISO 8601, UTC: when it ended, or began while it is under way. */
  at: string;
  /** Why it went back, in a sentence; null otherwise. */
  why: string | null;
}
