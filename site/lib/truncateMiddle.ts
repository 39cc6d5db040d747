/** Names up to this many graphemes are not split. */
const MAX_UNSPLIT = 14;
/** Graphemes at the end that stay visible: an extension and a year before it. */
const TAIL = 11;

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const ASCII = /^[ -~]*$/;

/** In ASCII every character is a grapheme, which avoids the segmenter: scrolling splits dozens of names per screen. */
const graphemesOf = (text: string): string | string[] =>
  ASCII.test(text) ? text : Array.from(segmenter.segment(text), ({ segment }) => segment);
const join = (graphemes: string | string[]): string =>
  typeof graphemes === 'string' ? graphemes : graphemes.join('');

/** Splits between two graphemes into `[head, tail]`; a short text has no tail. */
export function splitMiddle(text: string): [head: string, tail: string] {
  const graphemes = graphemesOf(text);
  if (graphemes.length <= MAX_UNSPLIT) return [text, ''];
  const tail = join(graphemes.slice(-TAIL));
  // Spaces stay with the head: after the dots they would look like a hole.
  const start = tail.trimStart();
  return [text.slice(0, text.length - start.length), start];
}

const MAX_TRUNCATED = 48;

/** Shortens a name for a button: the middle is replaced by an ellipsis, the extension stays. */
export function truncateMiddle(name: string): string {
  const graphemes = graphemesOf(name);
  if (graphemes.length <= MAX_TRUNCATED) return name;
  return `${join(graphemes.slice(0, MAX_TRUNCATED - 13))}…${join(graphemes.slice(-12))}`;
}
