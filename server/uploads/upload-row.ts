/** An upload expires after so long without new bytes: three days outlast a weekend. */
export const UPLOAD_LIFETIME = 3 * 24 * 60 * 60_000;

/** A row of `resumable_uploads`. */
export interface UploadRow {
  id: string;
  firm_id: number;
  user_id: number;
  name: string;
  size: number;
  received: number;
  fields: string;
  reservation_id: number | null;
  item_id: number | null;
  extraction_id: number | null;
  touched_at: string;
  finished_at: string | null;
}

/** Time at which an upload expires, in milliseconds since the epoch. */
export const expiry = ({ touched_at }: Pick<UploadRow, 'touched_at'>): number =>
  Date.parse(touched_at) + UPLOAD_LIFETIME;
