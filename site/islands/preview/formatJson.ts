/** A string, or one of the signs that JSON is made of, or what stands between them. */
const PIECES = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** JSON with a line for each value, every figure and text exactly as it is written. What is no JSON stays as it is. */
export function indented(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  let before = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  const lines = (text.match(PIECES) ?? []).map((piece) => {
    const opened = before === '{' || before === '[';
    before = piece;
    if (piece === '}' || piece === ']') {
      depth -= 1;
      return opened ? piece : line() + piece;
    }
    const start = opened ? line() : '';
    if (piece === '{' || piece === '[') depth += 1;
    if (piece === ',') return piece + line();
    return start + (piece === ':' ? ': ' : piece);
  });
  return lines.join('');
}
