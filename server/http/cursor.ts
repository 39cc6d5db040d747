import { invalid } from './errors.ts';

export const BAD_CURSOR = 'This place in the list is not known. Load the list again.';

type Part = string | number;
/** What a part must be: this literal value, or one that the type guard accepts. */
type Kind = Part | ((part: unknown) => part is Part);
type Parts<Kinds extends readonly Kind[]> = {
  [At in keyof Kinds]: Kinds[At] extends (part: unknown) => part is infer P ? P : Kinds[At];
};

/** PostgreSQL has no text with a NUL. */
export const text = (part: unknown): part is string => typeof part === 'string' && !part.includes('\0');
export const whole = (part: unknown): part is number => Number.isSafeInteger(part);

/** A position in a list, encoded for URLs. It is not secret and grants nothing: the list checks permissions itself. */
export const encodeCursor = (parts: readonly Part[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** @throws {AppError} 422 when the cursor is malformed or belongs to another sort order. */
export function decodeCursor<const Kinds extends readonly Kind[]>(
  cursor: string,
  kinds: Kinds,
): Parts<Kinds> {
  const parts = parse(Buffer.from(cursor, 'base64url').toString());
  const good =
    Array.isArray(parts) &&
    parts.length === kinds.length &&
    kinds.every((kind, index) => (typeof kind === 'function' ? kind(parts[index]) : kind === parts[index]));
  if (!good) throw invalid({ cursor: [BAD_CURSOR] });
  return parts as unknown as Parts<Kinds>;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
