/** The full-text indexes of names and of document texts. */
export type FullTextIndex = 'item_search' | 'document_text_search';

/** Fragments of SQL that differ between SQLite and PostgreSQL; `sql.ts` and `days.ts` document each. */
export interface SqlFragments {
  boundIds: string;
  boundTexts: string;
  boundIdRows(alias: string): string;
  boundTextRows(alias: string): string;
  boundTupleRows(alias: string): string;
  numberOf(value: string, index: number): string;
  textOf(value: string, index: number): string;
  memberOf(text: string, name: string): string;
  checkOnly(column: string): string;
  subqueryOrder(order: string): string;
  positionOf(part: string, text: string): string;
  lineEnd: string;
  fromHex(text: string): string;
  smallerOf(a: string, b: string): string;
  greatest(texts: readonly string[]): string;
  commaSeparated(column: string): string;
  jsonArray(values: readonly string[]): string;
  jsonOf(column: string): string;
  monthInIndia(time: string): string;
  dayInIndia(time: string): string;
  monthsAfter(day: string, months: number): string;
  yearEnd(day: string): string;
}
