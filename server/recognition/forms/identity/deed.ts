import type { Reading, TypeRules } from '../rules.ts';
import { readDate } from '../../values/dates.ts';
import { findAmount } from '../../layout/values.ts';
import { wordsBetween } from '../../layout/labels.ts';

const KIND =
  /\b(partnership|trust|gift|sale|lease|rent|mortgage|conveyance|release|settlement|retirement|dissolution|llp|limited liability partnership)\s+(?:deed|agreement)|deed\s+of\s+(partnership|trust|gift|sale|lease|mortgage|conveyance|release|settlement|retirement|dissolution)/i;
const MADE =
  /(?:made|executed|entered into)[^.]{0,60}?\bon\s+(?:this\s+)?(?:the\s+)?(.{6,60})|dated\s+(.{6,30})/i;
const FIRM =
  /(?:name and style of|firm name (?:and style )?(?:of|shall be)|in the name of|under the name(?: and style)?(?: of)?)\s*(?:the\s+firm\s+shall\s+be\s+)?[“"']?\s*(?:m\/s\.?\s*)?([A-Z][A-Za-z0-9&.' -]{2,60}?)\s*[”"'.,;]/i;
const PARTY =
  /(?:^|\s)(?:\(?\d\)?[.)]?\s*)?(?:shri|smt\.?|mr\.?|mrs\.?|ms\.?)\s+([A-Z][A-Za-z. ]{3,40}?)(?=,|\s+(?:s\/o|d\/o|w\/o|son|daughter|wife|aged|residing|\())/gi;
const CAPITAL = /capital[^.]{0,80}?((?:rs\.?|₹|inr)\s*[\d,]+(?:\.\d+)?)/i;

function readDeed(reading: Reading): void {
  const { lines } = reading.layout;
  const firstLines = lines.slice(0, 200);
  const text = firstLines.map((line) => line.text.replaceAll('\t', ' ')).join(' ');
  /** @param hint the text by which to find the line. */
  const add = (
    key: 'deed_kind' | 'firm_name' | 'partners' | 'date' | 'capital',
    value: string | undefined,
    hint: string,
  ) => {
    if (!value || reading.value(key)) return;
    const line =
      firstLines.find((line) => line.text.toLowerCase().includes(hint.toLowerCase())) ?? firstLines[0]!;
    const position = Math.max(0, line.text.toLowerCase().indexOf(hint.toLowerCase()));
    reading.add(
      key,
      value,
      wordsBetween(line, position, position + hint.length),
      line.page,
      `deed.${key}`,
      0.91,
    );
  };
  const kind = KIND.exec(text);
  add('deed_kind', (kind?.[1] ?? kind?.[2])?.toLowerCase(), kind?.[0] ?? '');
  const dated = MADE.exec(text);
  const date = dated && readDate((dated[1] ?? dated[2])!);
  add('date', date?.day, date?.raw ?? '');
  const firm = FIRM.exec(text)?.[1]?.trim();
  add('firm_name', firm, firm?.split(' ')[0] ?? '');
  const parties = [...new Set(Array.from(text.matchAll(PARTY), ([, name]) => name!.trim()))];
  add('partners', parties.join(', '), parties[0] ?? '');
  const capital = CAPITAL.exec(text)?.[1];
  add('capital', capital ? findAmount(capital)?.value : undefined, capital ?? '');
}

/** A deed or agreement: of partnership, trust, rent, sale. */
export const deed: TypeRules = {
  type: 'deed',
  cues: {
    title:
      /\b(?:partnership|trust|gift|sale|lease|rent|mortgage|conveyance|release|settlement|retirement|dissolution|llp)\s+(?:deed|agreement)\b|\bdeed\s+of\b|^this\s+deed\b/i,
    words: [
      /witnesseth/i,
      /hereinafter/i,
      /party of the (?:first|second) part|parties hereto/i,
      /profits? (?:and|&) losses/i,
      /in witness whereof/i,
      /executed|made (?:and entered )?(?:on|this)/i,
    ],
    not: [/tax invoice|statement of account/i],
  },
  fields: { place: 'place' },
  more: readDeed,
};
