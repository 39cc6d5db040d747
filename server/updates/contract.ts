/** The outcome of the last update, for the installation's admins. */
export interface UpdateView {
  /** Versions, such as `1.4.0`. */
  from: string;
  to: string;
  /** `back`: the new version did not work, and the previous one runs again. */
  outcome: 'done' | 'back' | 'underway';
  /** ISO 8601, UTC: the end, or the start while under way. */
  at: string;
  /** Why it was reverted, in a sentence; null otherwise. */
  why: string | null;
}
