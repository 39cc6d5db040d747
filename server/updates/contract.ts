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

/** What the admins should do with the databases that reverted updates have left at these paths. */
export const keptInWords = (paths: readonly string[]): string =>
  `What was done with a new version before it was taken back is kept in ${paths.join(' and ')}. Ask everybody whether something of that time is ` +
  'missing, and upload it again or open that database as README.md says. Then delete the files beginning with "after" in that folder.';
