import { readPeriod } from '../../values/periods.ts';
import type { Reading } from '../rules.ts';

const LABEL = {
  labels: 'tax period|return period|period|month|quarter|ret period|for the month(?: of)?',
  like: /.+/,
};
const MONTH = /(?:for the (?:month|period|quarter)(?: of)?|period)\s*:?\s*(.{3,30})/i;

/** Reads the month or quarter of a return: `March`, `032026`, `Jan-Mar`; the year may be printed elsewhere. */
export function readReturnPeriod(reading: Reading): void {
  if (reading.value('period')) return;
  const printedYear = reading.value('year');
  const year = printedYear ? Number(printedYear.slice(3, 7)) : null;
  for (const labels of LABEL.labels.split('|').toSorted((a, b) => b.length - a.length)) {
    const found = reading.locate('subject', { labels, like: LABEL.like });
    const period = found && readPeriod(found.raw, year);
    if (!found || !period || (period.period.startsWith('FY') && labels !== 'tax period')) continue;
    reading.add('period', period.period, found.words, found.page, `${reading.type}.period`);
    return;
  }
  for (const line of reading.layout.lines.slice(0, 40)) {
    const match = MONTH.exec(line.text);
    const period = match && readPeriod(match[1]!, year);
    if (!period || period.period.startsWith('FY')) continue;
    reading.add('period', period.period, line.words, line.page, `${reading.type}.period.heading`, 0.9);
    return;
  }
}
