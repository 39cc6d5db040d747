import type { Flow, Place, Style } from './flow.ts';
import { styleIn } from './flow.ts';
import type { Element } from './tree.ts';
import { lengthOf } from './tree.ts';

const PAD = 4;
/** Columns laid out per table. */
const COLUMNS_MAX = 40;
/** Columns share the width by their number of letters, within these bounds. */
const [FEW, MANY] = [3, 60];

interface Placed {
  cell: Element;
  from: number;
  to: number;
}

const isElement = (child: Element | string): child is Element => typeof child !== 'string';
const rowsOf = (table: Element): Element[] =>
  table.children
    .filter(isElement)
    .flatMap((child) =>
      child.tag === 'tr' ? [child] : /^t(?:head|body|foot)$/.test(child.tag) ? rowsOf(child) : [],
    );
const spanOf = (attribute: string | undefined): number =>
  Math.min(COLUMNS_MAX, Math.max(1, Number.parseInt(attribute ?? '1', 10) || 1));

/** The columns of each cell, taking `colspan` and `rowspan` into account. */
function placed(rows: readonly Element[]): Placed[][] {
  const taken: number[] = [];
  return rows.map((row) => {
    const cells: Placed[] = [];
    let next = 0;
    for (const cell of row.children.filter(isElement)) {
      if (cell.tag !== 'td' && cell.tag !== 'th') continue;
      while ((taken[next] ?? 0) > 0) next += 1;
      const to = Math.min(COLUMNS_MAX, next + spanOf(cell.attributes.colspan));
      if (to <= next) break;
      const down = spanOf(cell.attributes.rowspan);
      for (let column = next; column < to; column += 1) taken[column] = down;
      cells.push({ cell, from: next, to });
      next = to;
    }
    for (const [column, rest] of taken.entries()) taken[column] = Math.max(0, (rest ?? 0) - 1);
    return cells;
  });
}

/** The left edges of the columns and the right edge of the last; columns share the width by their number of letters. */
function edgesOf(rows: readonly Placed[][], { x, width }: Place): number[] {
  const count = rows.flat().reduce((most, { to }) => Math.max(most, to), 1);
  const weights = Array.from({ length: count }, () => FEW);
  for (const { cell, from, to } of rows.flat())
    if (to === from + 1) weights[from] = Math.max(weights[from]!, Math.min(MANY, lengthOf(cell)));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const edges = [x];
  for (const weight of weights) edges.push(edges.at(-1)! + (weight / all) * width);
  return edges;
}

/** Lays out a table. @returns its bottom edge. */
export function layTable(
  flow: Flow,
  table: Element,
  place: Place,
  top: number,
  style: Style,
  depth: number,
): number {
  const rows = placed(rowsOf(table));
  const edges = edgesOf(rows, place);
  const ruled = flow.ruled || Number.parseInt(table.attributes.border ?? '0', 10) > 0;
  let y = top;
  for (const caption of table.children.filter(isElement))
    if (caption.tag === 'caption') y = flow.contents(caption, place, y, style, depth + 1);
  const first = y;
  if (ruled && rows.length > 0) flow.rule(place, y);
  for (const row of rows) {
    let bottom = y;
    for (const { cell, from, to } of row) {
      const [left, right] = [edges[from]!, edges[to]!];
      const inner = { x: left + PAD, width: Math.max(10, right - left - 2 * PAD) };
      const end = flow.contents(cell, inner, y + PAD / 2, styleIn(cell, style), depth + 1);
      bottom = Math.max(bottom, end + PAD / 2);
    }
    if (ruled) for (const { from } of row) flow.rule({ x: edges[from]!, width: 0.5 }, y, bottom - y);
    y = bottom;
    if (ruled) flow.rule(place, y);
  }
  if (ruled && y > first)
    for (const x of [edges[0]!, edges.at(-1)!]) flow.rule({ x, width: 0.5 }, first, y - first);
  return y;
}
