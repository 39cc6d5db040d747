/** Both ends are inclusive. */
export interface Range {
  start: number;
  end: number;
}

/**
 * Parses a Range header for a body of `size` bytes: the range, `null` for the whole, or `'unsatisfiable'`. A
 * header that is malformed, uses another unit or asks for several ranges is ignored, as RFC 9110 (14.2) allows:
 * the whole body is always a valid response, and assembling many small ranges is a known denial-of-service
 * attack.
 */
export function parseRange(header: string | undefined, size: number): Range | null | 'unsatisfiable' {
  const found = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (!found || (!found[1] && !found[2])) return null;
  const [, first, last] = found;
  if (!first) {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last ? Number(last) : Infinity;
  if (end < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}
