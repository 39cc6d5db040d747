import type { Language } from '#server/text/language.ts';
import { textsIn } from './email-texts/index.ts';

/** The title of a share in a text: `"Form 16.pdf"`, or `3 documents`. */
export function titleOf(
  items: readonly { name: string; type: 'file' | 'folder' }[],
  language: Language = 'en',
): string {
  const [item] = items;
  if (items.length === 1 && item) return `"${item.name}"`;
  const t = textsIn(language);
  return items.every(({ type }) => type === 'file') ? t.documents(items.length) : t.items(items.length);
}
