import { LINE_END, positionOf } from './sql.ts';

// SQL of a row of `clients`, whose `search_text` has a line for each value that is searched, all of them folded.

/** The folded name, which is the first line. */
export const FOLDED_NAME = `substr(search_text, 1, ${positionOf(LINE_END, `search_text || ${LINE_END}`)} - 1)`;

/** The folded name as `plain` makes it. */
export const PLAIN_NAME = `replace(${["'", '‘', '’'].reduce(
  (name, mark) => `replace(${name}, '${mark === "'" ? "''" : mark}', '')`,
  FOLDED_NAME,
)}, ' & ', ' and ')`;

/** The folded name of the group, which is the last line; empty without one. */
export const FOLDED_GROUP = `CASE WHEN coalesce(group_name, '') = '' THEN ''
  ELSE substr(search_text, length(rtrim(search_text, replace(search_text, ${LINE_END}, ''))) + 1) END`;
