import { grammarOf } from '../grammar.ts';

/** The page's `lang`. */
export const language = 'en';

/** English as it is written in India: 1,23,456. */
export const { plural, count, list } = grammarOf('en-IN');
