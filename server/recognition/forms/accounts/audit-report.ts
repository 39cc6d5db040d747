import type { Reading, TypeRules } from '../rules.ts';
import { readSignatory } from './firm.ts';
import { SIGNATURE } from './signature.ts';

const OPINIONS: [RegExp, string][] = [
  [/disclaimer of opinion|do not express an opinion/i, 'disclaimer'],
  [/adverse opinion/i, 'adverse'],
  [/qualified opinion|except for the (?:effects|matters)/i, 'qualified'],
  [/true and fair view|in our opinion/i, 'unmodified'],
];
const MEMBERS =
  /to\s+the\s+(?:members|partners|shareholders|board|trustees)\s+of\s+(?:m\/s\.?\s*)?(.{3,80})/i;
/** Form 3CB: `… attached herewith, of SHARMA TRADERS, 12 Station Road, PAN …`. */
const EXAMINED = /attached herewith,? of\s+(?:m\/s\.?\s*)?([A-Z][A-Za-z&.' ]{3,60}?)\s*,/;

function readReport(reading: Reading): void {
  const { lines } = reading.layout;
  const text = lines.map((line) => line.text).join('\n');
  const opinion = OPINIONS.find(([pattern]) => pattern.test(text));
  const line = opinion && lines.find((line) => opinion[0].test(line.text));
  if (opinion && line)
    reading.add('opinion', opinion[1], line.words, line.page, 'audit_report.opinion', 0.92);
  for (const [index, line] of lines.entries()) {
    if (reading.value('name')) break;
    const match = MEMBERS.exec(line.text);
    const next = /to\s+the\s+(?:members|partners|shareholders|board|trustees)\s+of\s*,?$/i.test(line.text)
      ? lines[index + 1]
      : undefined;
    const name = (match?.[1] ?? next?.text)?.replace(/[,.]\s*$/, '').trim();
    if (name) reading.add('name', name, (next ?? line).words, line.page, 'audit_report.members', 0.93);
  }
  const whole = lines
    .slice(0, 40)
    .map((line) => line.text.replaceAll('\t', ' '))
    .join(' ');
  const examined = reading.value('name') ? null : EXAMINED.exec(whole)?.[1];
  const nameLine = examined && lines.find((line) => line.text.includes(examined.split(' ')[0]!));
  if (examined && nameLine)
    reading.add('name', examined, nameLine.words, nameLine.page, 'audit_report.examined', 0.9);
  readSignatory(reading, ['firm_name', 'signed_by']);
}

/** The report of an auditor, with its UDIN. */
export const auditReport: TypeRules = {
  type: 'audit_report',
  cues: {
    title:
      /(?:independent\s+)?auditor['’]?s?['’]?\s+report|form\s*(?:no\.?)?\s*3c[abd]\b|audit\s+report|tax\s+audit/i,
    words: [
      /\bUDIN\b/,
      /true and fair view/i,
      /basis for opinion/i,
      /in our opinion/i,
      /we have audited/i,
      /section 44AB|section 63/i,
      /standards on auditing/i,
    ],
    // It mentions what the audit will be and what its report will say.
    not: [
      /\bengagement\s+letter\b|\bletter\s+of\s+engagement\b|\bterms\s+of\s+(?:our|the)\s+(?:audit\s+)?engagement\b/i,
      /our (?:professional |audit )?fees/i,
    ],
  },
  fields: {
    name: 'name of (?:the )?(?:assessee|auditee|company|entity)',
    cin: 'cin|corporate identity (?:number|no)',
    pan: { labels: 'pan|permanent account number', within: true },
    ...SIGNATURE,
    date: ['date of (?:audit )?report|date|dated'],
  },
  more: readReport,
};
