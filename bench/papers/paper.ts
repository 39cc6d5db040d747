import type { DocumentType, FieldKey } from '#server/recognition/contract.ts';
import type { Facts } from './random.ts';

/** A field as a paper prints it: the labels that rules were tuned on, `|`, those that they were not. */
export type Printed = [key: FieldKey, labels: string, shown: string, value: string];

/** What a paper says, before it is laid out. */
export interface Paper {
  type: DocumentType;
  /** As titles of such papers are worded, the last only on held-out ones. */
  titles: string[];
  /** Under the title. */
  sub?: string;
  /** Above all else, large. */
  head?: string;
  fields: Printed[];
  /** HTML that stands behind the fields, with the fields that it shows. */
  more?: { html: string; truth: [FieldKey, string][] };
  /** Identifiers beside those among the fields. */
  identifiers?: string[];
  /** How many transactions there are. */
  rows?: number;
}

/** How a paper of this set writes. */
export interface Style {
  held: boolean;
  date: (day: string) => string;
  amount: (paise: number) => string;
  /** Amounts of tables, without a sign of currency. */
  plain: (paise: number) => string;
}

export type Maker = (facts: Facts, style: Style) => Paper;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
export { escaped };

/** A table in HTML; numbers stand at the right. */
export function grid(
  heads: string[],
  rows: string[][],
  options: { lines?: boolean; numbers?: number } = {},
): string {
  const from = heads.length - (options.numbers ?? 0);
  const cell = (tag: string) => (text: string, index: number) =>
    `<${tag}${index >= from ? ' class=n' : ''}>${escaped(text)}</${tag}>`;
  return `<table class="${options.lines === false ? 'open' : 'ruled'}"><thead><tr>${heads.map(cell('th')).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`)
    .join('')}</tbody></table>`;
}
