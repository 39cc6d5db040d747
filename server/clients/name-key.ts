import { fold } from '#server/text/fold.ts';
import { plain } from '#server/text/plain-name.ts';

/** The name as people compare it: without its case, accents and apostrophes, repeated spaces, or whether "and" is written "&". */
export const nameKey = (name: string): string => plain(fold(name).replace(/\s+/g, ' '));
