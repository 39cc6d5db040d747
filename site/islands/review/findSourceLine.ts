import type { FieldView } from '#server/fields/contract.ts';
import type { TextView } from '#server/reading/contract.ts';

/** Lines from the beginning of a document that show its type. */
const TYPE_LINES = 4;

const normalise = (text: string): string => text.toLowerCase().replace(/[\s,]+/g, '');

/**
 * Finds the line of a document's text from which a value was read. For the type of the document, which no single line
 * states, these are the first lines. Null when no line contains the value.
 */
export function findSourceLine(
  texts: TextView['texts'],
  { id, page, raw, read }: Pick<FieldView, 'id' | 'page' | 'raw' | 'read'>,
): string | null {
  const onPage = texts.filter((text) => text.page === page);
  const lines = (onPage.length > 0 ? onPage : texts).flatMap(({ text }) =>
    text.split(/\r?\n/).filter((line) => line.trim() !== ''),
  );
  if (id === 'type') return lines.slice(0, TYPE_LINES).join('\n') || null;
  for (const sought of [raw, read ?? ''].map(normalise)) {
    if (sought === '') continue;
    const found = lines.find((line) => normalise(line).includes(sought));
    if (found !== undefined) return found;
  }
  return null;
}
