import type { FieldKey, RecognisedField } from '../contract.ts';
import { FIELD_KINDS } from '../contract.ts';
import { shapeOf } from '../identifiers/shapes.ts';
import { findLabelled, labelCandidates, labelPattern, wordsBetween } from '../layout/labels.ts';
import type { Label, LocatedValue } from '../layout/labels.ts';
import type { Layout, Word } from '../layout/page.ts';
import { boxOf } from '../layout/page.ts';
import { isNameKey, partyName } from '../values/party-name.ts';
import type { FieldRule, Reading, TypeRules } from './rules.ts';

/** Labels common to many document types. */
const COMMON_LABELS =
  '(?:wage|tax|return|contribution) (?:month|period)|for the month(?: of)?|period|month|quarter|pan|gstin(?: uin)?|tan|date|name|address|status|e-?mail(?: id)?|mobile(?: no)?|phone|aadhaar(?: number)?|year|arn|branch|ifsc(?: code)?|(?:account|a\\/c|acct) (?:no|number)|state(?: code)?|place|remarks|amount|total|description|particulars|trade name|legal name|invoice (?:no|date)|due date|designation|department|gender|(?:customer|cust|client) id|nomination|account type|ifsc?|micr(?: code)?';

/** The end of a label's first line, which is no label without the second. */
const GOES_ON = /\b(?:of|the|by|for|and|with)$/i;

/** Confidence by the position of a value relative to its label. */
const SURE: Record<LocatedValue['position'], number> = { after: 0.97, beside: 0.96, below: 0.93 };

/** The words of a value that has fewer of them than were found. */
function wordsWithin(words: readonly Word[], value: string): readonly Word[] {
  const start = words
    .map(({ text }) => text)
    .join(' ')
    .indexOf(value);
  return start < 0 ? words : wordsBetween({ words }, start, start + value.length);
}

function labelOf(key: FieldKey, rule: FieldRule): Label {
  const kind = FIELD_KINDS[key];
  const name = kind === 'identifier' ? (shapeOf(key) ?? key) : key;
  return { kind, name, ...(typeof rule === 'string' ? { labels: rule } : rule) };
}

const rulesOf = ({ fields = {} }: TypeRules): [FieldKey, FieldRule[]][] =>
  Object.entries(fields).map(([key, rule]) => [key as FieldKey, [rule].flat()]);

/** Reads the fields and tables of a document whose type is known. */
export function readFields(layout: Layout, rules: TypeRules): Reading {
  const fields: RecognisedField[] = [];
  const skipped = rules.skips?.(layout);
  const starts = labelCandidates(layout).filter(({ index }) => !skipped?.has(index));
  const fieldRules = rulesOf(rules);
  const labels = fieldRules
    .flatMap(([, alternatives]) => alternatives)
    .map((rule) => labelPattern(typeof rule === 'string' ? rule : rule.labels));
  labels.push(labelPattern(COMMON_LABELS));
  const cache = new Map<string, boolean>();
  const isLabel = (text: string): boolean => {
    const plain = text.trim();
    let result = cache.get(plain);
    if (result === undefined) {
      result =
        plain.length < 90 &&
        (/^[\p{L}][^:]{0,40}:$/u.test(plain) || labels.some((label) => isOnlyLabel(label, plain)));
      cache.set(plain, result);
    }
    return result;
  };
  // The second line of a label, such as `Employee` below `PAN of the`, is not another one.
  const continuations = new Set(
    starts.flatMap(({ cell, joined: [, two] }) =>
      two && GOES_ON.test(cell.text) && isLabel(two.text) ? [two.words[cell.words.length]] : [],
    ),
  );
  const candidates = starts.filter(({ cell }) => !continuations.has(cell.words[0]));
  const reading: Reading = {
    layout,
    type: rules.type,
    candidates,
    fields,
    tables: [],
    isLabel,
    value: (key) => fields.find((field) => field.key === key)?.value,
    locate(key, rule) {
      let failed: LocatedValue | null = null;
      for (const located of findLabelled(labelOf(key, rule), { layout, candidates, isLabel })) {
        if (located.check !== 'failed') return located;
        failed ??= located;
      }
      return failed;
    },
    add(key, written, words, page, rule, sure = 0.95) {
      const value = isNameKey(key) ? partyName(written) : written;
      const ownWords = value === written ? words : wordsWithin(words, value);
      fields.push({
        key,
        kind: FIELD_KINDS[key],
        value,
        raw: ownWords.map(({ text }) => text).join(' '),
        page,
        box: boxOf(layout, ownWords),
        sure,
        rule,
      });
    },
  };
  for (const [key, alternatives] of fieldRules) {
    for (const [index, rule] of alternatives.entries()) {
      const located = reading.locate(key, rule);
      if (!located) continue;
      const failed = located.check === 'failed';
      const isWithAddress = isNameKey(key) && /address/.test(typeof rule === 'string' ? rule : rule.labels);
      const value = isWithAddress ? partyName(located.value, true) : located.value;
      reading.add(
        key,
        value,
        value === located.value ? located.words : wordsWithin(located.words, value),
        located.page,
        `${rules.type}.${key}.${index}.${located.position}`,
        failed ? 0.3 : SURE[located.position],
      );
      if (located.check) fields.at(-1)!.check = located.check;
      break;
    }
  }
  rules.more?.(reading);
  return reading;
}

/** Whether a text is only the label. */
function isOnlyLabel(label: RegExp, text: string): boolean {
  const match = label.exec(text);
  return (
    match !== null &&
    /^[\s:.,\-–=()#₹*]*(?:\([^)]*\))?[\s:]*(?:nos?\.?|number)?[\s:]*$/i.test(
      text.slice(match[0].length + match.index),
    )
  );
}
