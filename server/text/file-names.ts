import { extensionOf } from '#server/text/extension.ts';

/** UTF-16 code units, the unit of an input field's `maxlength` and of Windows. */
export const NAME_MAX = 255;
const FALLBACK = 'Untitled';

const ILLEGAL = /[/\\:*?"<>|]/;
// Lone surrogates have no UTF-8 form; line separators and direction overrides make a name look like another one.
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\ufffe\uffff]/u;
const VISIBLE = /[^\p{Z}\p{Cf}]/u;
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)/i;

/** Normalizes a name to the form that is checked, stored and sent: trimmed, NFC. */
export const tidyName = (name: string): string => name.trim().normalize('NFC');

/**
 * The reason, for display, why a normalized name is not valid for a file or folder; null if it is valid.
 * @param empty the reason for a name of which nothing can be seen.
 */
export function checkName(name: string, empty = 'Please enter a valid name'): string | null {
  if (!VISIBLE.test(name)) return empty;
  if (name.length > NAME_MAX) return `A name can have at most ${NAME_MAX} characters.`;
  if (ILLEGAL.test(name)) return String.raw`A name cannot contain any of these: / \ : * ? " < > |`;
  if (UNSEEN.test(name)) return 'A name cannot contain control or text direction characters.';
  if (name.endsWith('.')) return 'A name cannot end with a dot.';
  if (RESERVED.test(name)) return `"${name}" is a name that Windows keeps for itself. Choose another name.`;
  return null;
}

/**
 * Converts an external name (of an upload, of an archive entry) to the nearest valid one. Never fails: illegal characters
 * become `_`, and a name that is too long keeps its extension. The result passes `checkName`.
 */
export function repairName(raw: string): string {
  let name = tidyName(raw);
  if (checkName(name) === null) return name;
  name = name
    .replace(new RegExp(ILLEGAL, 'g'), '_')
    .replace(new RegExp(UNSEEN, 'gu'), '_')
    .replace(/\.+$/, '_')
    .trim();
  if (!VISIBLE.test(name)) name = FALLBACK;
  if (RESERVED.test(name)) name = `_${name}`;
  const { stem, tail } = split(name);
  return cut(stem, NAME_MAX - tail.length) + tail;
}

const ESCAPED = new Map([
  ['%22', '"'],
  ['%0D', '\r'],
  ['%0A', '\n'],
]);

/** Browsers write three characters of a form's file names as escapes, and no others (WHATWG HTML, multipart/form-data). */
export const nameInForm = (name: string): string =>
  name.replace(/%(?:22|0D|0A)/g, (code) => ESCAPED.get(code)!);

/**
 * The parts of a name around the number of `report (2).pdf`, short enough for any number: `head + ' (2)' + tail` passes
 * `checkName`.
 */
export function aroundNumber(name: string): { head: string; tail: string } {
  const { stem, tail } = split(name);
  return { head: cut(stem, NAME_MAX - tail.length - ' (1234567890)'.length), tail };
}

/** `report (note).pdf`; a name that is too long is cut before the note. */
export function withNote(name: string, note: string): string {
  const { stem, tail } = split(name);
  return `${cut(stem, NAME_MAX - tail.length - note.length - 3)} (${note})${tail}`;
}

/** Gives each name of a list, in order, the first numbered variant that none before it has, also if all are the same. */
export function createUniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  /** The next number to try, by the name's key: from 2 for each, thousands of equal names would take minutes. */
  const numbers = new Map<string, number>();
  return (name) => {
    const key = nameKey(name);
    const { head, tail } = aroundNumber(name);
    let unique = name;
    let number = numbers.get(key) ?? 2;
    for (; taken.has(nameKey(unique)); number += 1) unique = `${head} (${number})${tail}`;
    numbers.set(key, number);
    taken.add(nameKey(unique));
    return unique;
  };
}

/** The unique key of a name in its folder: it ignores case and the Unicode encoding of accents. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

// A longer "extension" is text after a full stop, not a file type.
const EXTENSION_MAX = 16;

function split(name: string): { stem: string; tail: string } {
  const length = extensionOf(name).length;
  if (length === 0 || length > EXTENSION_MAX) return { stem: name, tail: '' };
  // `extensionOf` lowers the case, which can change the length, so the name is split at the dot.
  const dot = name.lastIndexOf('.');
  return { stem: name.slice(0, dot), tail: name.slice(dot) };
}

/** Cuts text to at most `max` UTF-16 code units, between two grapheme clusters. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let result = '';
  for (const { segment } of new Intl.Segmenter('und').segment(text)) {
    if (result.length + segment.length > max) break;
    result += segment;
  }
  // A single cluster longer than `max` is cut inside.
  result ||= text.slice(0, max).toWellFormed().replaceAll('\ufffd', '');
  return result.trimEnd().replace(/\.+$/, '_');
}
