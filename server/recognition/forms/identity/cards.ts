import { findIdentifier } from '../../layout/values.ts';
import type { Reading, TypeRules } from '../rules.ts';
import { wordsBetween } from '../../layout/labels.ts';
import { readDate } from '../../values/dates.ts';

const LATIN = /^[A-Z][A-Z .'&()-]{2,60}$/;
const NO_NAME =
  /department|govt|government|india|permanent|account|number|card|signature|income|father|name|birth|date|identification|authority|enrol|male|aadhaar|address|information|issue|valid|unique|to\b/i;

/** Reads the names on a card without labels, by position: the holder's, then the father's. */
function readNames(reading: Reading, pattern: RegExp): void {
  const lines = reading.layout.lines.slice(0, 25);
  const names = lines.flatMap(({ cells, page }) =>
    cells.flatMap((cell) => (pattern.test(cell.text) && !NO_NAME.test(cell.text) ? [{ cell, page }] : [])),
  );
  for (const [index, key] of (['name', 'father_name'] as const).entries()) {
    const name = names[index];
    if (name && reading.type === 'pan_card' && !reading.value(key) && !reading.value('name'))
      reading.add(key, name.cell.text, name.cell.words, name.page, 'pan_card.places', 0.85);
    if (key === 'name' && reading.fields.some(({ rule }) => rule === 'pan_card.places') && names[1]) {
      const [, second] = names;
      reading.add(
        'father_name',
        second!.cell.text,
        second!.cell.words,
        second!.page,
        'pan_card.places',
        0.85,
      );
      return;
    }
  }
}

/** A PAN card, or the paper that stands for one. */
export const panCard: TypeRules = {
  type: 'pan_card',
  cues: {
    title: /income\s*tax\s*department|permanent\s+account\s+number(?:\s+card)?|e-?\s?permanent\s+account/i,
    words: [
      /permanent account number(?: card)?/i,
      /govt\.?\s+of\s+india|government of india/i,
      /father(?:'|’)?s name/i,
      /date of birth/i,
      /signature/i,
      /स्थायी|आयकर/,
    ],
    not: [
      /assessment year|financial year|notice|challan|return|section \d|deductor|certificate under|invoice|statement|a\.?y\.? ?20/i,
    ],
  },
  fields: {
    pan: 'permanent account number(?: card)?|pan',
    name: '(?:[^a-z]{0,12}\\/ ?)?name',
    father_name: "(?:[^a-z]{0,24}\\/ ?)?father(?:[’']?s)? name",
    date_of_birth: '(?:[^a-z]{0,24}\\/ ?)?date of birth|dob',
    date_of_incorporation: '(?:[^a-z]{0,24}\\/ ?)?date of (?:incorporation|formation)[^:\\d]{0,24}',
  },
  more(reading) {
    readNames(reading, LATIN);
    if (reading.value('date_of_birth') || reading.value('date_of_incorporation')) return;
    const isCompany = reading.value('pan')?.[3] !== 'P';
    for (const line of reading.layout.lines.slice(0, 25)) {
      const date = /issue|print/i.test(line.text) ? null : readDate(line.text);
      if (date)
        return reading.add(
          isCompany ? 'date_of_incorporation' : 'date_of_birth',
          date.day,
          line.words,
          line.page,
          'pan_card.date',
          0.85,
        );
    }
  },
};

const BORN = /(?:dob|date of birth|जन्म[^:\d]*|yob|year of birth)[^\d]{0,12}(\d{1,2}[-/.]\d{1,2}[-/.]\d{4})/i;
const GENDER = /(?<![a-z])(male|female|transgender)(?![a-z])/i;

/** An Aadhaar letter or card: of its number, the last four digits. */
export const aadhaarCard: TypeRules = {
  type: 'aadhaar',
  cues: {
    title:
      /unique\s+identification\s+authority|^aadhaar\b|मेरा\s+आधार|government\s+of\s+india|भारत\s+सरकार|^e-?aadhaar/i,
    words: [
      /aadhaar|आधार/i,
      /enrol(?:l)?ment/i,
      /\bVID\b/,
      /\b(?:male|female)\b/i,
      /(?<!\d)[\dX*]{4} [\dX*]{4} \d{4}(?!\d)/,
      /unique identification/i,
    ],
    not: [/permanent account number|annual information|assessment year|invoice/i],
  },
  fields: {
    aadhaar: {
      labels: '(?:your )?aadhaar (?:no|number)|(?:[^a-z]{0,24}\\/ ?)your aadhaar (?:no|number)[^\\d]{0,8}',
      within: true,
    },
    name: '(?:[^a-z]{0,12}\\/ ?)?name',
    address: '(?:[^a-z]{0,12}\\/ ?)?address',
  },
  more(reading) {
    const { lines } = reading.layout;
    // On the card the number has no label.
    for (const line of reading.value('aadhaar') ? [] : lines.slice(0, 60)) {
      const found = findIdentifier(line.text, 'aadhaar');
      if (!found || found.check === 'failed') continue;
      reading.add(
        'aadhaar',
        found.value,
        wordsBetween(line, found.start, found.end),
        line.page,
        'aadhaar.card',
        0.93,
      );
      reading.fields.at(-1)!.check = found.check!;
      break;
    }
    for (const [index, line] of lines.slice(0, 60).entries()) {
      const born = reading.value('date_of_birth') ? null : BORN.exec(line.text);
      const date = born && readDate(born[1]!);
      if (born && date) {
        reading.add(
          'date_of_birth',
          date.day,
          wordsBetween(line, born.index, born.index + born[0].length),
          line.page,
          'aadhaar.born',
        );
        const above = lines
          .slice(Math.max(0, index - 3), index)
          .flatMap((line) => line.cells)
          .findLast(
            ({ text }) =>
              /^[A-Z][A-Za-z.]+(?: [A-Za-z.]+){1,4}$/.test(text) &&
              !/india|aadhaar|authority|government/i.test(text),
          );
        if (above && !reading.value('name'))
          reading.add('name', above.text, above.words, line.page, 'aadhaar.above_birth', 0.9);
      }
      const gender = reading.value('gender') ? null : GENDER.exec(line.text);
      if (gender)
        reading.add(
          'gender',
          gender[1]!.toLowerCase(),
          wordsBetween(line, gender.index, gender.index + gender[0].length),
          line.page,
          'aadhaar.gender',
        );
    }
  },
};
