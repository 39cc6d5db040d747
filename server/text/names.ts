import { extensionOf } from '#server/text/extension.ts';

/** UTF-16 units, as an input field's `maxlength` and Windows count them. */
export const NAME_MAX = 255;
const FALLBACK = 'Untitled';

const ILLEGAL = /[/\\:*?"<>|]/;
// Lone surrogates have no UTF-8 form; line separators and direction overrides make a name look like another one.
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\ufffe\uffff]/u;
const VISIBLE = /[^\p{Z}\p{Cf}]/u;
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)/i;

/** The one form in which a name is checked, stored and sent: trimmed, NFC. */
export const tidyName = (name: string): string => name.trim().normalize('NFC');

/** Why a tidy name can't be given to a file or folder, for the reader; null when it can. */
export function checkName(name: string): string | null {
  if (!VISIBLE.test(name)) return 'Please enter a valid name';
  if (name.length > NAME_MAX) return `A name can have at most ${NAME_MAX} characters.`;
  if (ILLEGAL.test(name)) return String.raw`A name cannot contain any of these: / \ : * ? " < > |`;
  if (UNSEEN.test(name)) return 'A name cannot contain control or text direction characters.';
  if (name.endsWith('.')) return 'A name cannot end with a dot.';
  if (RESERVED.test(name)) return `"${name}" is a name that Windows keeps for itself. Choose another name.`;
  return null;
}

/**
 * The nearest good name to one that came from outside (an upload, an archive). Never refuses: what is
 * illegal becomes `_`, an over-long name keeps its extension. The result passes `checkName`.
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

/**
 * The parts around the number of `report (2).pdf`, with room for any number. `head + ' (2)' + tail` passes `checkName`.
 */
export function aroundNumber(name: string): { head: string; tail: string } {
  const { stem, tail } = split(name);
  return { head: cut(stem, NAME_MAX - tail.length - ' (1234567890)'.length), tail };
}

/** `report (note).pdf`; what is too long is cut before the note. */
export function withNote(name: string, note: string): string {
  const { stem, tail } = split(name);
  return `${cut(stem, NAME_MAX - tail.length - note.length - 3)} (${note})${tail}`;
}

/** `name`, or its first numbered variant whose `nameKey` is not in `taken`. */
export function keepBoth(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(nameKey(name))) return name;
  const { head, tail } = aroundNumber(name);
  let n = 2;
  while (taken.has(nameKey(`${head} (${n})${tail}`))) n += 1;
  return `${head} (${n})${tail}`;
}

/** Two names of one folder may not have the same key: it ignores case and the ways to write one accent. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

// Longer "extensions" are text after a full stop, not a file type.
const EXTENSION_MAX = 16;

function split(name: string): { stem: string; tail: string } {
  const length = extensionOf(name).length;
  if (length === 0 || length > EXTENSION_MAX) return { stem: name, tail: '' };
  // Lower case can be longer than what was written, so the dot is what counts.
  const dot = name.lastIndexOf('.');
  return { stem: name.slice(0, dot), tail: name.slice(dot) };
}

/** At most `max` UTF-16 units, ending between two characters as a reader sees them. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter('und').segment(text)) {
    if (kept.length + segment.length > max) break;
    kept += segment;
  }
  // One endless cluster of marks has no such place.
  kept ||= text.slice(0, max).toWellFormed().replaceAll('\ufffd', '');
  return kept.trimEnd().replace(/\.+$/, '_');
}
