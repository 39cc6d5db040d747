import type { DocumentType } from '../contract.ts';
import type { Layout } from '../layout/page.ts';
import type { TypeRules } from './rules.ts';

/** Lines at the top in which a title may be. */
const TITLE_LINES = 30;
const LINES_READ = 400;
const TITLE_SCORE = 4;
const CERTAIN_SCORE = 8;

interface Classified {
  type: DocumentType | null;
  sure: number;
}

/** Classifies a document by its title and by words that occur only in such documents. */
export function classify({ lines, hasPositions }: Layout, all: readonly TypeRules[]): Classified {
  const first = lines[0]?.page ?? 1;
  const tables = new Map(all.map(({ type, cues }) => [type, cues.table?.({ lines, hasPositions }) ?? null]));
  // Text within the rows of a table is no title.
  const rows = Math.min(
    TITLE_LINES,
    ...tables.values().flatMap((index) => (index === null || index < 3 ? [] : [index])),
  );
  const top = lines.slice(0, rows).filter(({ page }) => page === first);
  const titles = top.flatMap(({ cells, text }) => [
    ...cells.map((cell) => cell.text),
    text.replaceAll('\t', ' '),
  ]);
  const text = lines
    .slice(0, LINES_READ)
    .map((line) => line.text.replaceAll('\t', ' '))
    .join('\n');
  // A label may be broken over two lines in a narrow column.
  const unbroken = text.replaceAll('\n', ' ');
  const occurs = (word: RegExp): boolean => word.test(text) || word.test(unbroken);
  const scores = all
    .filter(({ cues }) => !cues.unless?.({ lines, hasPositions }))
    .map(({ type, cues: { title, words = [], not = [] } }) => {
      const index = title ? titles.findIndex((line) => line.length < 140 && title.test(line)) : -1;
      const tableScore = (tables.get(type) ?? null) === null ? 0 : TITLE_SCORE + 1;
      const titleScore = Math.max(
        tableScore,
        index < 0 ? 0 : TITLE_SCORE + (index < titles.length / 4 ? 1 : 0),
      );
      const matchingWords = words.filter(occurs).length;
      const excludingWords = not.filter((word) => word.test(text)).length;
      return { type, score: titleScore + matchingWords - excludingWords * TITLE_SCORE };
    })
    .toSorted((a, b) => b.score - a.score);
  const [best, second] = scores;
  if (!best || best.score < 2) return { type: null, sure: 0 };
  const lead = best.score - Math.max(0, second?.score ?? 0);
  const sure = Math.min(
    1,
    0.5 + best.score / CERTAIN_SCORE / 4 + lead / CERTAIN_SCORE / 2 + (best.score >= TITLE_SCORE ? 0.15 : 0),
  );
  return { type: best.type, sure: Math.round(sure * 100) / 100 };
}
