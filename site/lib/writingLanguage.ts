import type { Language } from '#server/text/language.ts';
import { isLanguage } from '#server/text/language.ts';

const KEY = 'writing-languages';
/** How many clients are remembered, those last written to. */
const MAX_CLIENTS = 500;

/** The languages by client, the last written to at the end. */
function stored(): [number, Language][] {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    if (!Array.isArray(parsed)) return [];
    return parsed.flatMap((entry) =>
      Array.isArray(entry) && typeof entry[0] === 'number' && isLanguage(entry[1])
        ? [[entry[0], entry[1]] satisfies [number, Language]]
        : [],
    );
  } catch {
    return [];
  }
}

/**
 * The language in which these clients were last written to in this browser; English for a client not written to yet, where
 * they differ, and for a text to nobody in particular.
 */
export function writingLanguage(clientIds: readonly number[]): Language {
  const languages = new Map(stored());
  const [first, ...others] = new Set(clientIds.map((id) => languages.get(id) ?? 'en'));
  return first === undefined || others.length > 0 ? 'en' : first;
}

export function saveWritingLanguage(clientIds: readonly number[], language: Language): void {
  const others = stored().filter(([id]) => !clientIds.includes(id));
  const all = [...others, ...clientIds.map((id) => [id, language] as const)];
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(-MAX_CLIENTS)));
  } catch {
    // Without storage each text begins in English.
  }
}
