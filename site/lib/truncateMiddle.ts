/** Names up to this many graphemes are not split. */
const MAX_UNSPLIT = 14;
/** Graphemes at the end that stay visible: an extension and a year before it. */
const TAIL = 11;

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const ASCII = /^[ -~]*$/;

/** Splits between two graphemes into `[head, tail]`; a short text has no tail. */
export function splitMiddle(text: string): [head: string, tail: string] {
  // Scrolling splits dozens of names per screen. In ASCII every character is a grapheme, which avoids the segmenter.
  if (ASCII.test(text))
    return text.length <= MAX_UNSPLIT ? [text, ''] : [text.slice(0, -TAIL), text.slice(-TAIL)];
  const graphemes = Array.from(segmenter.segment(text), ({ segment }) => segment);
  if (graphemes.length <= MAX_UNSPLIT) return [text, ''];
  return [graphemes.slice(0, -TAIL).join(''), graphemes.slice(-TAIL).join('')];
}

const MAX_TRUNCATED = 48;

/** Shortens a name for a button: the middle is replaced by an ellipsis, the extension stays. */
export function truncateMiddle(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_TRUNCATED) return name;
  return `${characters.slice(0, MAX_TRUNCATED - 13).join('')}…${characters.slice(-12).join('')}`;
}
