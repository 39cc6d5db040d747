import * as v from 'valibot';

/** The firm's figures, as they are at this moment. */
export interface Stats {
  total_files: number;
  total_clients: number;
  /** Those in Trash and earlier versions included. */
  used_bytes: number;
  used_formatted: string;
  /** Of what is used. */
  trash_bytes: number;
  trash_formatted: string;
  /** Of what is used, earlier versions of files, there or in Trash. */
  versions_bytes: number;
  versions_formatted: string;
  limit_bytes: number;
  limit_formatted: string;
  /** Of the limit, to one decimal, at most 100. */
  percentage: number;
  /** `1.2 GB / 5 GB` */
  usage_text: string;
}

/** The files of one type. */
export interface TypeStat {
  /** Extension without the dot. */
  type: string;
  count: number;
  /** Bytes. */
  size: number;
  formatted_size: string;
  /** Of all that is used, to one decimal. */
  percentage: number;
}

export const RECENT_SHOWN = 50;
/** Files that the storage screen offers for deletion, of each kind. */
export const CLEANUP_SHOWN = 8;
/** What nobody opened or changed for so long may be old. */
export const LATELY_DAYS = 90;
const BAD_LIMIT = 'Give a number from 1 to 100';

/** The query of `GET /api/dashboard/recent-files`. */
export const recentQuery = v.object({
  limit: v.optional(
    v.pipe(
      v.string(BAD_LIMIT),
      v.regex(/^[1-9]\d{0,2}$/, BAD_LIMIT),
      v.transform(Number),
      v.maxValue(100, BAD_LIMIT),
    ),
  ),
});
