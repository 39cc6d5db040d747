import type { FieldKey, RecognisedField } from '../contract.ts';
import { FIELD_KINDS } from '../contract.ts';
import { shapeOf } from '../identifiers/shapes.ts';
import { find, pattern, spotsOf } from '../layout/labels.ts';
import type { Label, Located } from '../layout/labels.ts';
import type { Layout } from '../layout/page.ts';
import { boxOf } from '../layout/page.ts';
import type { FieldRule, Reading, TypeRules } from './rules.ts';

/** Labels common to many document types. */
const COMMON_LABELS =
  '(?:wage|tax|return|contribution) (?:month|period)|for the month(?: of)?|period|month|quarter|pan|gstin(?: uin)?|tan|date|name|address|status|e-?mail(?: id)?|mobile(?: no)?|phone|aadhaar(?: number)?|year|arn|branch|ifsc(?: code)?|account (?:no|number)|state(?: code)?|place|remarks|amount|total|description|particulars|trade name|legal name|invoice (?:no|date)|due date|designation|department|gender|(?:customer|cust|client) id|nomination|account type|ifsc?|micr(?: code)?';

/** Confidence by the position of a value relative to its label. */
const SURE: Record<Located['how'], number> = { after: 0.97, beside: 0.96, below: 0.93 };

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
  const spots = spotsOf(layout).filter(({ at }) => !skipped?.has(at));
  const all = rulesOf(rules);
  const labels = all
    .flatMap(([, some]) => some)
    .map((rule) => pattern(typeof rule === 'string' ? rule : rule.labels));
  labels.push(pattern(COMMON_LABELS));
  const known = new Map<string, boolean>();
  const isLabel = (text: string): boolean => {
    const plain = text.trim();
    let answer = known.get(plain);
    if (answer === undefined) {
      answer =
        plain.length < 90 &&
        (/^[\p{L}][^:]{0,40}:$/u.test(plain) || labels.some((label) => isOnlyLabel(label, plain)));
      known.set(plain, answer);
    }
    return answer;
  };
  const reading: Reading = {
    layout,
    type: rules.type,
    spots,
    fields,
    tables: [],
    isLabel,
    value: (key) => fields.find((field) => field.key === key)?.value,
    locate(key, rule) {
      const hits: Located[] = [];
      for (const hit of find(labelOf(key, rule), { layout, spots, isLabel })) {
        if (hit.check === 'failed') {
          hits.push(hit);
          continue;
        }
        return hit;
      }
      return hits[0] ?? null;
    },
    add(key, value, words, page, rule, sure = 0.95) {
      fields.push({
        key,
        kind: FIELD_KINDS[key],
        value,
        raw: words.map(({ text }) => text).join(' '),
        page,
        box: boxOf(layout, words),
        sure,
        rule,
      });
    },
  };
  for (const [key, some] of all) {
    for (const [at, rule] of some.entries()) {
      const hit = reading.locate(key, rule);
      if (!hit) continue;
      const failed = hit.check === 'failed';
      reading.add(
        key,
        hit.value,
        hit.words,
        hit.page,
        `${rules.type}.${key}.${at}.${hit.how}`,
        failed ? 0.3 : SURE[hit.how],
      );
      if (hit.check) fields.at(-1)!.check = hit.check;
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
