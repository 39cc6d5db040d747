import type { IdentifierCheck } from '../contract.ts';
import { BANK } from './bank.ts';
import { COMPANY } from './company.ts';
import { GST } from './gst.ts';
import { PEOPLE } from './people.ts';
import { TAX } from './tax.ts';

/** What one kind of identifier looks like. */
export interface Shape {
  /** In capitals, with the value in the last group if there is one; without anchors. */
  pattern: RegExp;
  /** What must stand before it, or above it, for it to be one at all; where the shape alone says little. */
  label?: RegExp;
  /** What it may not be although it looks like it. */
  not?: (value: string, line: string) => boolean;
  check: (value: string) => IdentifierCheck;
  /** For each place, what may stand there: A a letter, 9 a digit, * either. What a scan mistook is put right by it. */
  places?: string;
}

/** By the key that an identifier has when nobody says whose it is; the order is that in which they are looked for. */
export const SHAPES: Record<string, Shape> = { ...GST, ...TAX, ...COMPANY, ...BANK, ...PEOPLE };

/** The shape of what a field holds: that of `employee_pan` is that of `pan`. */
export const shapeOf = (key: string): string | undefined =>
  SHAPES[key] ? key : Object.keys(SHAPES).find((name) => key.endsWith(`_${name}`));
