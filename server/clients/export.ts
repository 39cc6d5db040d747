import type { ClientView } from './contract.ts';

const COLUMNS: readonly [heading: string, field: keyof ClientView][] = [
  ['Name', 'name'],
  ['Type', 'client_type'],
  ['Status', 'status'],
  ['Email', 'email'],
  ['Phone', 'phone'],
  ['City', 'city'],
  ['PAN', 'pan'],
  ['GSTIN', 'gstin'],
  ['TAN', 'tan'],
  ['CIN / LLPIN', 'cin'],
  ['Date of birth or incorporation', 'born_on'],
  ['Group', 'group_name'],
  ['Address', 'address'],
  ['Notes', 'notes'],
];

/** A spreadsheet would run what begins like a formula; an apostrophe makes it text. The import takes it off again. */
function cell(value: string | number | null): string {
  const text = String(value ?? '').replace(/\r?\n/g, '\r\n');
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\r\n']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Clients as CSV that Excel opens rightly: with a byte order mark, so that it takes the text for UTF-8. */
export function toCsv(clients: readonly ClientView[]): string {
  const lines = [
    COLUMNS.map(([heading]) => heading),
    ...clients.map((client) => COLUMNS.map(([, field]) => client[field])),
  ];
  return '\uFEFF' + lines.map((line) => line.map(cell).join(',')).join('\r\n') + '\r\n';
}
