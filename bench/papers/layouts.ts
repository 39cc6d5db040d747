import type { Paper, Printed } from './paper.ts';
import { escaped } from './paper.ts';
import type { Facts } from './random.ts';

type Layout = (fields: [label: string, shown: string][]) => string;
const pairs = <T>(all: T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / 2) }, (_, index) => all.slice(index * 2, index * 2 + 2));
const table = (rows: string[][], kind: string, tag = 'td'): string =>
  `<table class="${kind}">${rows.map((row) => `<tr>${row.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`).join('')}</table>`;

/** Layouts that rules were tuned on. */
const TUNED: Layout[] = [
  // A line for each, with a colon.
  (fields) => fields.map(([label, shown]) => `<p>${escaped(label)} : ${escaped(shown)}</p>`).join(''),
  // Two columns with rules.
  (fields) => table(fields, 'ruled'),
  // Four columns.
  (fields) =>
    table(
      pairs(fields).map((row) => row.flat()),
      'ruled',
    ),
  // The value below its label, three side by side.
  (fields) => {
    const rows: string[] = [];
    for (let start = 0; start < fields.length; start += 3) {
      const fieldsOfRow = fields.slice(start, start + 3);
      rows.push(
        `<tr>${fieldsOfRow.map(([label]) => `<th>${escaped(label)}</th>`).join('')}</tr><tr>${fieldsOfRow.map(([, shown]) => `<td>${escaped(shown)}</td>`).join('')}</tr>`,
      );
    }
    return `<table class=ruled>${rows.join('')}</table>`;
  },
];

/** Layouts that nobody looked at while writing rules. */
const HELD: Layout[] = [
  // Labels at the right of their column, values behind, no rules.
  (fields) =>
    `<table class=open style="width:80%">${fields.map(([label, shown]) => `<tr><td style="text-align:right">${escaped(label)}:</td><td><b>${escaped(shown)}</b></td></tr>`).join('')}</table>`,
  // Two blocks side by side, each with lines.
  (fields) => {
    const half = Math.ceil(fields.length / 2);
    const block = (fieldsOfBlock: [string, string][]) =>
      `<div style="width:48%">${fieldsOfBlock.map(([label, shown]) => `<p><b>${escaped(label)}</b>: ${escaped(shown)}</p>`).join('')}</div>`;
    return `<div style="display:flex;justify-content:space-between">${block(fields.slice(0, half))}${block(fields.slice(half))}</div>`;
  },
  // Numbered rows, values at the far right, and small print.
  (fields) =>
    `<table class=ruled style="width:100%;font-size:85%">${fields.map(([label, shown], index) => `<tr><td style="width:30px">${index + 1}</td><td>${escaped(label)}</td><td class=n>${escaped(shown)}</td></tr>`).join('')}</table>`,
  // Small labels over values, two side by side, without rules.
  (fields) =>
    `<div style="display:grid;grid-template-columns:1fr 1fr;gap:10px">${fields.map(([label, shown]) => `<div><small>${escaped(label)}</small><br>${escaped(shown)}</div>`).join('')}</div>`,
];

const FONTS = [
  ['DejaVu Sans', 'DejaVu Serif'],
  ['DejaVu Sans Condensed', 'DejaVu Sans Mono', 'DejaVu Sans', 'DejaVu Serif Condensed'],
];

const styleOf = (facts: Facts, held: boolean): string => `
  @page { size: A4; margin: ${facts.int(24, 60)}px }
  body { font: ${facts.int(9, 12)}px "${facts.pick(FONTS[held ? 1 : 0]!)}"; }
  h1 { font-size: ${facts.int(13, 20)}px; text-align: ${facts.pick(['left', 'center'])}; margin: 4px 0 }
  p { margin: ${facts.int(1, 5)}px 0 } table { border-collapse: collapse; width: 100%; margin: 8px 0 }
  td, th { padding: ${facts.int(2, 5)}px ${facts.int(4, 9)}px; text-align: left; vertical-align: ${facts.pick(['top', 'middle'])} }
  .ruled td, .ruled th { border: 1px solid #777 } td.n, th.n { text-align: right }`;

const label = (labels: string, held: boolean, facts: Facts): string => {
  const [tuned = '', other = tuned] = labels.split('|');
  return facts.pick((held ? other : tuned).split(';'));
};

/** A paper as a page of HTML. */
export function layOut(paper: Paper, facts: Facts, held: boolean): string {
  const layout = facts.pick(held ? HELD : TUNED);
  const shown = paper.fields.map(([, labels, text]: Printed): [string, string] => [
    label(labels, held, facts),
    text,
  ]);
  const title = held
    ? paper.titles.at(-1)!
    : facts.pick(paper.titles.slice(0, Math.max(1, paper.titles.length - 1)));
  return `<!doctype html><meta charset=utf-8><style>${styleOf(facts, held)}</style>
    ${paper.head ? `<div style="font-size:${facts.int(14, 20)}px;font-weight:bold">${escaped(paper.head)}</div>` : ''}
    <h1>${escaped(title)}</h1>${paper.sub ? `<p style="text-align:center">${escaped(paper.sub)}</p>` : ''}
    ${shown.length > 0 ? layout(shown) : ''}${paper.more?.html ?? ''}`;
}
