import { encodingOf } from '../convert/text.ts';
import type { Paper } from './paper.ts';
import { A4, FAINT, font, INK, MARGIN } from './paper.ts';

/** Bytes shown, the same as in the browser's viewer. */
const SHOWN_BYTES = 1024 * 1024;
const SIZE = 8.5;
/** The width of a character: a space is as wide as a digit, so columns aligned with spaces stay aligned. */
const ADVANCE = SIZE * 0.6;
const LEADING = 12;
const TAB = 8;
/** Lines that decide between portrait and landscape. */
const LOOKED_AT = 5000;

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
// oxlint-disable-next-line no-control-regex -- what is not ASCII is cut between its letters
const isPlain = (line: string): boolean => /^[\x20-\x7e]*$/.test(line);

/** Breaks a line into pieces of at most `columns` characters. */
function wrapped(line: string, columns: number): string[] {
  if (line.length <= columns) return [line];
  const units = isPlain(line) ? line : Array.from(letters.segment(line), ({ segment }) => segment);
  const pieces: string[] = [];
  for (let start = 0; start < units.length; start += columns) {
    const piece = units.slice(start, start + columns);
    pieces.push(typeof piece === 'string' ? piece : piece.join(''));
  }
  return pieces;
}

const untabbed = (line: string): string => {
  let shown = '';
  for (const part of line.split(/(\t)/))
    shown += part === '\t' ? ' '.repeat(TAB - (shown.length % TAB)) : part;
  return shown;
};

/** Plain text on pages, in fixed columns. */
export function textPaper(bytes: Buffer): Paper {
  const cut = bytes.length > SHOWN_BYTES;
  const part = bytes.subarray(0, SHOWN_BYTES);
  const text = new TextDecoder(encodingOf(part)).decode(part, { stream: cut });
  const lines = text.split(/\r\n|[\r\n\f]/).map(untabbed);
  const across = (room: number) => Math.floor((room - 2 * MARGIN) / ADVANCE);
  const longest = lines.slice(0, LOOKED_AT).reduce((most, { length }) => Math.max(most, length), 0);
  const lying = longest > across(A4.short);
  const [width, height] = lying ? [A4.long, A4.short] : [A4.short, A4.long];
  const columns = across(width);
  const shown = lines.flatMap((line) => wrapped(line, columns));
  if (cut) shown.push('', 'Only the first 1 MB of this file is shown.');
  if (text === '') shown.push('This file is empty.');
  const onOne = Math.floor((height - 2 * MARGIN) / LEADING);

  return {
    width,
    height,
    pages: Math.max(1, Math.ceil(shown.length / onOne)),
    draw(context, page) {
      context.font = font(SIZE);
      const from = (page - 1) * onOne;
      for (const [nth, line] of shown.slice(from, from + onOne).entries()) {
        const y = MARGIN + (nth + 1) * LEADING;
        context.fillStyle = (cut && from + nth === shown.length - 1) || text === '' ? FAINT : INK;
        for (const { 0: word, index } of line.matchAll(/\S+(?: \S+)*/g)) {
          // Words separated by one space are running text; a wider gap starts a new column.
          const room = isPlain(word) ? word.length * ADVANCE : undefined;
          context.fillText(word, MARGIN + index * ADVANCE, y, room);
        }
      }
    },
  };
}
