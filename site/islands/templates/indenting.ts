/** The text and selection of a text area. */
export interface Edited {
  text: string;
  start: number;
  end: number;
}

const STEP = '  ';

/** Indents or outdents the selected lines and adjusts the selection. */
export function indent({ text, start, end }: Edited, out: boolean): Edited {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const moved = lines.map((line) => (out ? line.replace(/^(?: {1,2}|\t)/, '') : STEP + line));
  const first = moved[0]!.length - lines[0]!.length;
  const whole = moved.join('\n').length - (to - from);
  return {
    text: text.slice(0, from) + moved.join('\n') + text.slice(to),
    start: Math.max(from, start + first),
    end: Math.max(from, end + whole),
  };
}

/** Inserts a line break with the indentation of the current line. */
export function breakLine({ text, start, end }: Edited): Edited {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const indentation = /^[ \t]*/.exec(text.slice(from, start))![0];
  const at = start + 1 + indentation.length;
  return { text: `${text.slice(0, start)}\n${indentation}${text.slice(end)}`, start: at, end: at };
}
