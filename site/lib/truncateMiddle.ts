/** Names up to this long are drawn in one piece. */
const WHOLE = 14;
/** How much of the end stays readable: an extension and a year before it. */
const TAIL = 11;

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const ASCII = /^[ -~]*$/;

/** `[head, tail]`, cut between two letters as a reader counts them, never inside one; a short text has no tail. */
export function splitMiddle(text: string): [head: string, tail: string] {
  // Each scrolled screen cuts dozens of names, and in most of them every character is a letter.
  if (ASCII.test(text)) return text.length <= WHOLE ? [text, ''] : [text.slice(0, -TAIL), text.slice(-TAIL)];
  const letters = Array.from(segmenter.segment(text), ({ segment }) => segment);
  if (letters.length <= WHOLE) return [text, ''];
  return [letters.slice(0, -TAIL).join(''), letters.slice(-TAIL).join('')];
}

const QUESTION_NAME = 48;

/** Short enough for a button: the middle goes, the extension stays. */
export function truncateMiddle(name: string): string {
  const letters = [...name];
  if (letters.length <= QUESTION_NAME) return name;
  return `${letters.slice(0, QUESTION_NAME - 13).join('')}…${letters.slice(-12).join('')}`;
}
