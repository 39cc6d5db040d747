interface Piece {
  start: number;
  end: number;
  left: number;
  right: number;
  /** The vertical middle, and the height. */
  y: number;
  height: number;
}

/** A wider gap, as a share of the line height, separates two cells. */
const CELL_GAP = 0.9;
/** The largest distance of consecutive lines of a cell, in line heights. */
const LINE_DISTANCE_MAX = 2;
/** Words on each side of a line end within a cell: longer phrases are rarely searched. */
const CONTEXT_WORDS = 4;
/** The left ends of lines of one cell differ by at most this share of the line height, since scans are skewed. */
const ALIGNMENT_TOLERANCE = 1.2;
const PAIRS_MAX = 400;

function rowsOf(text: string, boxes: readonly number[]): Piece[][] {
  const rows: Piece[][] = [];
  let [boxOffset, offset] = [0, 0];
  for (const line of text.split('\n')) {
    const row: Piece[] = [];
    for (const match of line.matchAll(/\S+/g)) {
      const [left, top, width, height] = boxes.slice(boxOffset, boxOffset + 4);
      boxOffset += 4;
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
    if (last && piece.left - last.right <= Math.min(piece.height, last.height) * CELL_GAP)
      cells.at(-1)!.push(piece);
    else cells.push([piece]);
  }
  return cells;
}

/**
 * Finds where table cells of a scan continue in their next line, which in the text comes after the neighbouring
 * cells: start and end of the last words of one line and of the first words of the next, four numbers for each.
 */
export function cellContinuations(text: string, boxes: readonly number[]): number[] {
  const rows = rowsOf(text, boxes).map(cellsOf);
  const continuations: number[] = [];
  for (const [index, cells] of rows.entries()) {
    // A line that is one cell is followed by its next line in the text anyway.
    for (const cell of cells) {
      const [first, last] = [cell[0]!, cell.at(-1)!];
      const under = rows
        .slice(index + 1, index + 4)
        .flatMap((others, step) => others.map((other) => ({ other, step })))
        .find(({ other: [head] }) => {
          const tallest = Math.max(first.height, head!.height);
          return (
            Math.abs(head!.left - first.left) < tallest * ALIGNMENT_TOLERANCE &&
            head!.y > first.y &&
            head!.y - first.y < tallest * LINE_DISTANCE_MAX
          );
        });
      if (!under || (under.step === 0 && cells.at(-1) === cell && rows[index + 1]![0] === under.other))
        continue;
      const [before, after] = [cell.slice(-CONTEXT_WORDS), under.other.slice(0, CONTEXT_WORDS)];
      const [from, to] = [before[0]!.start, last.end];
      if (
        !/\p{L}/u.test(text.slice(from, to)) ||
        !/\p{L}/u.test(text.slice(after[0]!.start, after.at(-1)!.end))
      )
        continue;
      continuations.push(from, to, after[0]!.start, after.at(-1)!.end);
      if (continuations.length >= PAIRS_MAX * 4) return continuations;
    }
  }
  return continuations;
}

/** Groups the numbers of `cellContinuations` by pair of ranges. */
export const continuationPairs = (
  across: readonly number[] = [],
): [from: number, to: number, then: number, end: number][] =>
  Array.from({ length: Math.floor(across.length / 4) }, (_, index) => {
    const [from = 0, to = 0, then = 0, end = 0] = across.slice(index * 4, index * 4 + 4);
    return [from, to, then, end];
  });
