/** An upload that nobody went on with for this long is given up: three days outlast a weekend. */
export const UPLOAD_LIFETIME = 3 * 24 * 60 * 60_000;

/** An upload in several requests, as it is noted. */
export interface Row {
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

/** When it is given up, in ms. */
export const expiry = ({ touched_at }: Pick<Row, 'touched_at'>): number =>
  Date.parse(touched_at) + UPLOAD_LIFETIME;
