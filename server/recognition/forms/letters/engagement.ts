import { readDate } from '../../values/dates.ts';
import { readSignatory } from '../accounts/firm.ts';
import { SIGNATURE } from '../accounts/signature.ts';
import type { Reading, TypeRules } from '../rules.ts';
import { readYear, yearPeriod } from '../../values/periods.ts';
import { wordsBetween } from '../../layout/labels.ts';

/** Whether a line consists of a date. */
const isOnlyDate = (text: string): boolean => {
  const date = readDate(text);
  return date !== null && date.raw.length >= text.trim().length - 1;
};

function readLetter(reading: Reading): void {
  readSignatory(reading, ['firm_name', 'signed_by']);
  const dated = reading.value('date')
    ? undefined
    : reading.layout.lines.slice(0, 20).find(({ text }) => isOnlyDate(text));
  if (dated)
    reading.add('date', readDate(dated.text)!.day, dated.words, dated.page, 'engagement_letter.day', 0.92);
  if (reading.value('year')) return;
  for (const line of reading.layout.lines.slice(0, 80)) {
    const ended =
      /(?:year|period) ended (?:on )?(?:31st\s+march,?\s+|31\s+march,?\s+|march\s+31,?\s+|31[./-]0?3[./-])(20\d{2})/i.exec(
        line.text,
      );
    const year = ended ? Number(ended[1]) - 1 : readYear(line.text)?.year;
    if (year === undefined) continue;
    const words = ended ? wordsBetween(line, ended.index, ended.index + ended[0].length) : line.words;
    return reading.add('year', yearPeriod(year), words, line.page, 'engagement_letter.year', 0.91);
  }
}

/** The terms on which a firm of accountants works. */
export const engagementLetter: TypeRules = {
  type: 'engagement_letter',
  cues: {
    title:
      /engagement\s+letter|letter\s+of\s+engagement|terms\s+of\s+(?:(?:our|the)\s+)?(?:audit\s+)?engagement/i,
    words: [
      /scope of (?:work|services|the audit|engagement)/i,
      /our (?:professional )?fees/i,
      /you have requested|pleased to confirm|confirm our (?:acceptance|understanding)/i,
      /management['’]?s responsibilit/i,
      /chartered accountants/i,
    ],
  },
  fields: {
    ...SIGNATURE,
    name: [
      {
        labels: 'to',
        where: 'below',
        like: /^(?!the (?:board|directors|partners|members)\b)(?:m\/s\.?\s*)?([A-Z].{3,60}?),?$/,
      },
      'client(?: name)?|name of (?:the )?client',
      { labels: 'the (?:board of )?(?:directors|partners|managing director|board)[^:]*', where: 'below' },
    ],
    date: 'date|dated',
    fees: {
      labels:
        '(?:our )?(?:professional |audit )?fees?(?: (?:for|shall be|will be|of|payable|is|are|agreed|at)[^\\d₹]{0,80})?',
      within: true,
    },
  },
  more: readLetter,
};
