import { ASSESSMENT_YEAR, FINANCIAL_YEAR } from '#server/text/written-years.ts';
import type { Reading, TypeRules } from '../rules.ts';
import { wordsBetween } from '../../layout/labels.ts';
import { readDate } from '../../values/dates.ts';

const ISSUERS: [RegExp, string][] = [
  [
    /income[\s-]*tax\s+department|itba|central\s+board\s+of\s+direct\s+taxes|centralized\s+processing/i,
    'Income Tax Department',
  ],
  [/goods\s+and\s+services\s+tax|\bGST\b|commercial\s+tax|central\s+tax|cbic|state\s+tax/i, 'GST Department'],
  [/registrar\s+of\s+companies|ministry\s+of\s+corporate/i, 'Registrar of Companies'],
  [/provident\s+fund/i, 'Employees\u2019 Provident Fund Organisation'],
];
const SECTION =
  /(?:under|u\/s|in terms of)\s*(?:sub-?section\s*\(\d\w?\)\s*of\s*)?(?:section|sec\.?)?\s*(\d{2,3}[A-Z]{0,2}(?:\(\d{1,2}[A-Za-z]?\))*)/i;
const BY =
  /(?:on or before|by|latest by|within the due date|before|not later than|compliance (?:due )?date\W*)\s*(?:the\s+)?(\d{1,2}[-/. ]?(?:st|nd|rd|th)?[-/. ]*\w{2,9}[-/. ,]{1,2}\d{2,4})/i;

/** Reads a reference number that continues on the next line of a narrow cell. */
function continuedNumber({ fields, layout }: Reading): void {
  for (const field of fields) {
    if (field.key !== 'document_din' || !/[-/]$/.test(field.value)) continue;
    for (const { cells, page } of layout.lines) {
      const { box } = field;
      const under = cells.find(
        ({ left, top }) =>
          page === field.page &&
          box &&
          Math.abs(left - box[0]) < 400 &&
          top > box[1] &&
          top < box[1] + box[3] * 2.2,
      );
      const rest = under && /^\d[\d/-]*(?:\(\d\))?$/.exec(under.text)?.[0];
      if (!rest) continue;
      field.value += rest;
      field.raw += rest;
      break;
    }
  }
}

function readLetter(reading: Reading): void {
  continuedNumber(reading);
  const { lines } = reading.layout;
  for (const [pattern, name] of ISSUERS) {
    const line = lines.slice(0, 25).find(({ text }) => pattern.test(text));
    if (!line || reading.value('issuer')) continue;
    reading.add('issuer', name, line.words, line.page, 'notice.issuer', 0.93);
  }
  for (const line of lines) {
    const section = reading.value('section') ? null : SECTION.exec(line.text);
    if (section) {
      const start = section.index + section[0].lastIndexOf(section[1]!);
      reading.add(
        'section',
        section[1]!,
        wordsBetween(line, start, start + section[1]!.length),
        line.page,
        'notice.section',
        0.93,
      );
    }
    const dueDate = reading.value('reply_by') ? null : BY.exec(line.text);
    const date = dueDate && readDate(dueDate[1]!);
    if (dueDate && date)
      reading.add(
        'reply_by',
        date.day,
        wordsBetween(line, dueDate.index, dueDate.index + dueDate[0].length),
        line.page,
        'notice.reply_by',
        0.92,
      );
  }
}

/** A notice, intimation, order or summons. */
export const notice: TypeRules = {
  type: 'notice',
  cues: {
    title:
      /\b(?:show\s+cause\s+)?notice\b|^intimation\b|\bintimation\s+(?:u\/s|under)|\bsummons\b|demand\s+notice|^(?:assessment\s+)?order\s+(?:u\/s|under)|drc-?\s?0?1|asmt-?\s?10/i,
    words: [
      /you are (?:hereby )?(?:required|requested|directed|called)/i,
      /section\s+\d+/i,
      /\bDIN\b/,
      /show cause|failing which/i,
      /assessing officer|proper officer|officer|commissioner/i,
      /on or before|compliance/i,
      /sir\W*madam/i,
    ],
    not: [/engagement letter/i, /notice of (?:annual general|extra)/i],
  },
  fields: {
    document_din: {
      labels:
        '(?:notice )?din(?: ?(?:&|and) (?:notice|letter|order|document) no)?[^:A-Z\\d]{0,10}|document (?:identification|reference) (?:number|no)|din no',
      like: /(ITBA\/[A-Z0-9/_().-]{8,60}\)?|CBIC-[A-Z0-9-]{8,30}|(?=\S*\d{6})[A-Z0-9/-]{14,40}(?:\(\d\))?)/,
    },
    notice_no: {
      labels: '(?:notice|order|reference|ref|scn|letter|communication|f) ?\\.? ?(?:no|number|ref)',
      like: /((?=\S*\d)[A-Z0-9][A-Z0-9/_().:-]{3,50})/i,
    },
    date: 'date(?: of (?:issue|notice|order))?|dated|issued on|notice date',
    pan: { labels: 'pan(?: no)?|permanent account number', within: true },
    gstin: { labels: 'gstin(?: no)?', within: true },
    name: [
      'name(?: of (?:the )?(?:assessee|taxpayer|noticee))?|legal name|m\\/s',
      { labels: 'to', where: 'below', like: /^(?!the\b)(?:m\/s\.?\s*)?([A-Z].{3,60}?),?$/ },
    ],
    year: {
      labels: `${ASSESSMENT_YEAR}|${FINANCIAL_YEAR}|tax year|tax period`,
      within: true,
    },
    subject: { labels: 'sub(?:ject)?', like: /^[\s:–-]*(.{8,200})$/ },
    demand: {
      labels:
        '(?:total )?(?:demand|amount|tax)(?: payable| outstanding| demanded| due)(?: amount)?|total demand|demand(?: amount)?|sum payable|total amount payable|net amount payable',
      within: true,
    },
    reply_by:
      'due date(?: (?:of|for) (?:reply|compliance|response))?|(?:reply|response|compliance) (?:by|due)(?: date)?|date of (?:compliance|hearing|reply)|last date (?:for|of) (?:reply|response|compliance)|reply by',
  },
  more: readLetter,
};
