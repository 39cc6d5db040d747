import type { FieldView } from '#server/fields/contract.ts';
import type { TextView } from '#server/reading/contract.ts';

/** Lines that show what a document is. */
const FIRST = 4;

const bare = (text: string): string => text.toLowerCase().replace(/[\s,]+/g, '');

/**
 * The line of a document's text from which a value was read. Of what a document is, which stands nowhere by itself, the first
 * lines; null where no line has it.
 */
export function lineOf(
  texts: TextView['texts'],
  { id, page, raw, read }: Pick<FieldView, 'id' | 'page' | 'raw' | 'read'>,
): string | null {
  const own = texts.filter((one) => one.page === page);
  const lines = (own.length > 0 ? own : texts).flatMap(({ text }) =>
    text.split(/\r?\n/).filter((line) => line.trim() !== ''),
  );
  if (id === 'type') return lines.slice(0, FIRST).join('\n') || null;
  for (const sought of [raw, read ?? ''].map(bare)) {
    if (sought === '') continue;
    const found = lines.find((line) => bare(line).includes(sought));
    if (found !== undefined) return found;
  }
  return null;
}
