import type { Reading, TypeRules } from '../rules.ts';
import { wordsBetween } from '../../layout/labels.ts';
import { readDate } from '../../values/dates.ts';

const CERTIFY =
  /(?:certify that|that)\s+(?:m\/s\.?\s*)?([A-Z][A-Za-z0-9&.,'() -]{3,80}?)\s+(?:is|has been|was)\s+(?:this day\s+)?(?:incorporated|registered)/i;
const ON = /incorporated\s+(?:on\s+)?(?:this\s+)?(?:the\s+)?(.{6,60})/i;

function readCertificate(reading: Reading): void {
  const { lines } = reading.layout;
  const text = lines.map((line) => line.text.replaceAll('\t', ' ')).join(' ');
  const certified = CERTIFY.exec(text);
  const first = certified?.[1]?.split(' ')[0];
  const nameLine = first
    ? (lines.find((line) => /certify|that/i.test(line.text) && line.text.includes(first)) ??
      lines.find((line) => line.text.includes(certified![1]!)))
    : undefined;
  if (certified && !reading.value('name'))
    reading.add(
      'name',
      certified[1]!.trim(),
      nameLine?.words ?? [],
      nameLine?.page ?? lines[0]!.page,
      'incorporation.certify',
      0.93,
    );
  const incorporated = ON.exec(text);
  const date = reading.value('date_of_incorporation') || !incorporated ? null : readDate(incorporated[1]!);
  if (date) {
    const line = lines.find((line) => /incorporated/i.test(line.text)) ?? lines[0]!;
    const start = line.text.search(/incorporated/i);
    reading.add(
      'date_of_incorporation',
      date.day,
      wordsBetween(line, Math.max(0, start)),
      line.page,
      'incorporation.date',
      0.92,
    );
  }
}

/** The certificate of incorporation of a company or an LLP. */
export const incorporation: TypeRules = {
  type: 'incorporation',
  cues: {
    title: /certificate\s+of\s+incorporation|registrar\s+of\s+companies|ministry\s+of\s+corporate\s+affairs/i,
    words: [
      /certificate of incorporation/i,
      /corporate identity number|llp identification number/i,
      /incorporated/i,
      /registrar of companies/i,
      /companies act|limited liability partnership act/i,
    ],
    not: [/you are (?:hereby )?required|show cause/i],
  },
  fields: {
    name: 'name of (?:the )?(?:company|llp)|company name',
    cin: {
      labels: '(?:the )?corporate identity (?:number|no)(?: of the company)?(?: is)?|cin',
      within: true,
    },
    llpin: {
      labels:
        '(?:the )?(?:llp|limited liability partnership) identification (?:number|no)(?: of the llp)?(?: is)?|llpin',
      within: true,
    },
    pan: {
      labels:
        '(?:the )?permanent account (?:number|no)(?: \\(pan\\))?(?: of the (?:company|llp))?(?: is)?|pan',
      within: true,
    },
    tan: {
      labels:
        '(?:the )?tax deduction (?:and collection )?account (?:number|no)(?: \\(tan\\))?(?: of the (?:company|llp))?(?: is)?|tan',
      within: true,
    },
    date_of_incorporation: 'date of incorporation',
    registrar: 'registrar|office of the registrar',
  },
  more: readCertificate,
};
