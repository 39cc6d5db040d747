/** A JSON token: a string, a structural character, or a run of other characters. */
const PIECES = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Pretty-prints JSON without changing numbers or strings. Text that is not JSON is returned unchanged. */
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
