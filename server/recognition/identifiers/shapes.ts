import type { IdentifierCheck } from '../contract.ts';
import { BANK } from './bank.ts';
import { COMPANY } from './company.ts';
import { GST } from './gst.ts';
import { PEOPLE } from './people.ts';
import { TAX } from './tax.ts';

/** The shape of a kind of identifier. */
export interface Shape {
  /** Matches uppercase text; the value is the last group, if there is one; without anchors. */
  pattern: RegExp;
  /** A label that must be before or above it, where the shape alone is too common. */
  label?: RegExp;
  /** Excludes matches that are something else. */
  not?: (value: string, line: string) => boolean;
  check: (value: string) => IdentifierCheck;
  /**
   * The class of each position: A a letter, 9 a digit, * either, N nearly always a digit, Z nearly always that letter.
   * Used to suggest corrections.
   */
  places?: string;
}

/** Shapes by the key of an identifier without a known owner, in search order. */
export const SHAPES: Record<string, Shape> = { ...GST, ...TAX, ...COMPANY, ...BANK, ...PEOPLE };

/** The shape of a field's value: `employee_pan` has that of `pan`. */
export const shapeOf = (key: string): string | undefined =>
  SHAPES[key] ? key : Object.keys(SHAPES).find((name) => key.endsWith(`_${name}`));
