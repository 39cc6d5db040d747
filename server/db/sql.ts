/** Ids given as one JSON text, so that however many there are it is one statement. */
export const EACH = 'SELECT value FROM json_each(?)';

/** A question mark for each value, for the inside of `IN (…)`. */
export const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(',');
