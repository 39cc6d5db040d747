/** An upload expires after so long without new bytes: three days outlast a weekend. */
export const UPLOAD_LIFETIME = 3 * 24 * 60 * 60_000;

/**
 * So long an upload by a link may have no bytes yet: it reserves storage of the firm, and a visitor can begin many without sending
 * anything. The pages send the first bytes at once, and begin anew after this.
 */
export const EMPTY_LIFETIME = 30 * 60_000;

/** What a complete upload made. */
export interface Outcome {
  item_id: number | null;
  /** The version that holds what it replaced. */
  replaced_version?: number | null | undefined;
}

/** A row of `resumable_uploads`. */
export interface UploadRow extends Outcome {
  id: string;
  firm_id: number;
  user_id: number;
  /** The link through which a visitor uploads; null for uploads of users. */
  door: string | null;
  name: string;
  size: number;
  received: number;
  fields: string;
  reservation_id: number | null;
  extraction_id: number | null;
  replaced_version: number | null;
  touched_at: string;
  finished_at: string | null;
}

/** Milliseconds without new bytes after which an upload expires. */
export const lifetimeOf = ({ door, received }: Pick<UploadRow, 'door' | 'received'>): number =>
  door !== null && received === 0 ? EMPTY_LIFETIME : UPLOAD_LIFETIME;

/** Time at which an upload expires, in milliseconds since the epoch. */
export const expiry = (row: Pick<UploadRow, 'touched_at' | 'door' | 'received'>): number =>
  Date.parse(row.touched_at) + lifetimeOf(row);
