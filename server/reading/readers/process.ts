import { packText } from '../packed.ts';
import { withoutAadhaar } from '../words/aadhaar.ts';
import { namedIn, wordsOf } from '../words/words.ts';
import type { FileText, MadeText, ReadingOrder } from './contract.ts';
import { Budget, Refused } from './limits.ts';
import { readFile } from './read.ts';

/** Words of one file that the index takes: some five hundred full pages. */
const WORDS_MAX = 250_000;

/** Fewer letters than this on a page are a number or a stamp beside a scan. */
const LETTERS_MIN = 3;
const says = (text: string): boolean => (text.match(/[\p{L}\p{Nd}]/gu)?.length ?? 0) >= LETTERS_MIN;

/** What of a text goes into the index, beside the text itself as it is kept. */
function listed({ pages, ...file }: FileText): MadeText {
  const terms = new Map<string, number>();
  const named = new Set<string>();
  const sequence: number[] = [];
  let { cut } = file;
  const kept = pages.map((page) => {
    const { text, numbers } = withoutAadhaar(page.text);
    for (const number of numbers) named.add(`aadhaar ${number}`);
    for (const { term } of namedIn(text)) named.add(term);
    for (const { term } of wordsOf(text)) {
      if (sequence.length >= WORDS_MAX) {
        cut ??= 'size';
        break;
      }
      const place = terms.get(term) ?? terms.size;
      terms.set(term, place);
      sequence.push(place);
    }
    return { ...page, label: withoutAadhaar(page.label).text, text };
  });
  return {
    packed: packText({ kind: file.kind, pages: kept }),
    kind: file.kind,
    count: file.count,
    without: kept.filter(({ text }) => !says(text)).length,
    characters: kept.reduce((sum, { text }) => sum + text.length, 0),
    cut,
    terms: [...terms.keys()].join('\n'),
    sequence: Uint32Array.from(sequence),
    named: [...named].join('\n'),
  };
}

async function made({ bytes: given, fileType, again }: ReadingOrder): Promise<MadeText> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  try {
    return listed(await readFile(bytes, fileType, new Budget(again)));
  } catch (error) {
    // A library that stumbles over a file says so in its own words, of which only a log may know.
    const why = error instanceof Error ? error.message : String(error);
    return { refused: error instanceof Refused ? error.refusal : 'damaged', why };
  }
}

// A process of its own, which is given nothing but the file: no key, no folder, no word of whose it is.
process.on('message', (order: ReadingOrder & { job: number }) => {
  void made(order).then((text) => process.send!({ ...text, job: order.job }));
});
process.on('disconnect', () => process.exit(0));
