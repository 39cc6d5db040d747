import * as v from 'valibot';

/** Characters as a user counts them: an emoji is one, although it takes two units of a string. */
export const characters = (text: string): number => Array.from(text).length;

/** A rule for a least number of characters. */
export const atLeast = (least: number, message: string) =>
  v.check((text: string) => characters(text) >= least, message);
