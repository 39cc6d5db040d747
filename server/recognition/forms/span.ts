import { wordsBetween } from '../layout/labels.ts';
import { readDate } from '../values/dates.ts';
import type { Reading } from './rules.ts';

const BETWEEN =
  /(\d{1,2}[-/. ]\w{2,9}[-/. ,]{1,2}\d{2,4}|\d{4}-\d{2}-\d{2})\s*(?:to|till|until|upto|and|-|–)\s*(?:date\s*:?\s*|:\s*)?(\d{1,2}[-/. ]\w{2,9}[-/. ,]{1,2}\d{2,4}|\d{4}-\d{2}-\d{2})/i;

/** Reads a period of two dates beside or below its label: `Period with the Employer`. */
export function readLabelledSpan(reading: Reading, labels: string): void {
  if (reading.value('period_from')) return;
  const found = reading.locate('period_from', { labels });
  const words = found?.words ?? [];
  const cell = found && reading.layout.lines[found.line]?.cells.find((one) => one.words.includes(words[0]!));
  const match = cell && BETWEEN.exec(cell.text);
  const [from, to] = [match?.[1], match?.[2]].map((text) => (text ? readDate(text)?.day : undefined));
  if (!match || !from || !to || from > to) return;
  const own = wordsBetween(cell, match.index, match.index + match[0].length);
  for (const [key, day] of [['period_from', from] as const, ['period_to', to] as const])
    if (!reading.value(key)) reading.add(key, day, own, found.page, `${reading.type}.period`, 0.93);
}

/** Reads a period such as `01/04/2025 to 30/04/2025`, also with separate ends. */
export function readSpan(reading: Reading): void {
  readRange(reading);
  const to = reading.value('period_to')
    ? null
    : reading.locate('period_to', { labels: 'to(?: date)?|period to|till', within: true });
  if (to && reading.value('period_from'))
    reading.add('period_to', to.value, to.words, to.page, `${reading.type}.period_to`);
}

function readRange(reading: Reading): void {
  for (const line of reading.layout.lines.slice(0, 60)) {
    const match = BETWEEN.exec(line.text);
    const [from, to] = [match?.[1], match?.[2]].map((text) => (text ? readDate(text)?.day : undefined));
    if (!match || !from || !to || from > to) continue;
    const known = reading.fields.findIndex(({ key }) => key === 'period_from');
    if (known >= 0) reading.fields.splice(known, 1);
    const words = wordsBetween(line, match.index, match.index + match[0].length);
    reading.add('period_from', from, words, line.page, `${reading.type}.period`);
    reading.add('period_to', to, words, line.page, `${reading.type}.period`);
    return;
  }
}
