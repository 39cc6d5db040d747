interface Piece {
  start: number;
  end: number;
  left: number;
  right: number;
  /** The middle, and how high it is. */
  y: number;
  height: number;
}

/** Wider than this share of a line's height, a gap parts two cells. */
const GAP = 0.9;
/** Lines of one cell follow each other this closely, in heights of a line. */
const NEXT = 2;
/** Words on each side of where a cell's line ends: longer phrases are seldom looked for. */
const WORDS = 4;
/** A line begins where the one above it does, give or take this share of its height: so much a scan leans. */
const FLUSH = 1.2;
const PAIRS_MAX = 400;

function rowsOf(text: string, boxes: readonly number[]): Piece[][] {
  const rows: Piece[][] = [];
  let [at, offset] = [0, 0];
  for (const line of text.split('\n')) {
    const row: Piece[] = [];
    for (const match of line.matchAll(/\S+/g)) {
      const [left, top, width, height] = boxes.slice(at, at + 4);
      at += 4;
      if (height === undefined) break;
      const start = offset + match.index;
      row.push({
        start,
        end: start + match[0].length,
        left: left!,
        right: left! + width!,
        y: top! + height / 2,
        height: Math.min(height, width! * 2),
      });
    }
    rows.push(row);
    offset += line.length + 1;
  }
  return rows;
}

function cellsOf(row: readonly Piece[]): Piece[][] {
  const cells: Piece[][] = [];
  for (const piece of row) {
    const last = cells.at(-1)?.at(-1);
    if (last && piece.left - last.right <= Math.min(piece.height, last.height) * GAP)
      cells.at(-1)!.push(piece);
    else cells.push([piece]);
  }
  return cells;
}

/**
 * Where cells of a scanned table go on in their next line, which stands in the text behind the cells beside them: the
 * start and end of the last words of one line and of the first words of the other, four numbers for each such place.
 */
export function acrossOf(text: string, boxes: readonly number[]): number[] {
  const rows = rowsOf(text, boxes).map(cellsOf);
  const found: number[] = [];
  for (const [at, cells] of rows.entries()) {
    // A line of one cell is followed by its next line in the text as well.
    for (const cell of cells) {
      const [first, last] = [cell[0]!, cell.at(-1)!];
      const under = rows
        .slice(at + 1, at + 4)
        .flatMap((others, step) => others.map((other) => ({ other, step })))
        .find(({ other: [head] }) => {
          const high = Math.max(first.height, head!.height);
          return (
            Math.abs(head!.left - first.left) < high * FLUSH &&
            head!.y > first.y &&
            head!.y - first.y < high * NEXT
          );
        });
      if (!under || (under.step === 0 && cells.at(-1) === cell && rows[at + 1]![0] === under.other)) continue;
      const [before, after] = [cell.slice(-WORDS), under.other.slice(0, WORDS)];
      const [from, to] = [before[0]!.start, last.end];
      if (
        !/\p{L}/u.test(text.slice(from, to)) ||
        !/\p{L}/u.test(text.slice(after[0]!.start, after.at(-1)!.end))
      )
        continue;
      found.push(from, to, after[0]!.start, after.at(-1)!.end);
      if (found.length >= PAIRS_MAX * 4) return found;
    }
  }
  return found;
}

/** The parts of a text that follow each other there, each pair as one. */
export const pairsOf = (
  across: readonly number[] = [],
): [from: number, to: number, then: number, end: number][] =>
  Array.from({ length: Math.floor(across.length / 4) }, (_, at) => {
    const [from = 0, to = 0, then = 0, end = 0] = across.slice(at * 4, at * 4 + 4);
    return [from, to, then, end];
  });
