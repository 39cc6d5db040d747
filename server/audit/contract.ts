/** One thing that was done. Never put a password, a token or the content of a document in it. */
export interface AuditEntry {
  /** Who did it; or, where nobody is signed in, `firmId` and `userId` of the account concerned. */
  actor?: { firmId: number; userId: number } | undefined;
  firmId?: number | undefined;
  userId?: number | undefined;
  /** `module.verb`, such as `auth.sign_in`. */
  did: `${string}.${string}`;
  /** What it was done to, such as `item:17`. */
  subject?: string | undefined;
  detail?: Record<string, string | number | boolean | null | readonly (string | number)[]> | undefined;
  /** Defaults to the address of the request that is being answered. */
  ip?: string | undefined;
}
