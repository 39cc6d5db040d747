/** A part of a message: the text between `<tag>` and `</tag>`, or text outside any tag (`tag` is null). */
interface Piece {
  tag: string | null;
  text: string;
}

/** Splits a message at its tags: `I accept the <terms>Terms</terms>` has two pieces. Tags do not nest. */
export function pieces(message: string): Piece[] {
  return message
    .split(/(<\w+>.*?<\/\w+>)/s)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const [, tag = null, text = piece] = /^<(\w+)>(.*)<\/\1>$/s.exec(piece) ?? [];
      return { tag, text };
    });
}
