import { CSV_START, csvLine } from '#server/text/csv.ts';
import type { ClientView } from './contract.ts';

const COLUMNS: readonly [heading: string, field: keyof ClientView][] = [
  ['Name', 'name'],
  ['Type', 'client_type'],
  ['Status', 'status'],
  ['Email', 'email'],
  ['Phone', 'phone'],
  ['Language', 'language'],
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

const LANGUAGES = { en: 'English', hi: 'Hindi' };

/** Clients as CSV for Excel. The import strips the prefix that prevents formulas. */
export const toCsv = (clients: readonly ClientView[]): string =>
  [
    CSV_START,
    csvLine(COLUMNS.map(([heading]) => heading)),
    ...clients.map((client) =>
      csvLine(
        COLUMNS.map(([, field]) => (field === 'language' ? LANGUAGES[client.language] : client[field])),
      ),
    ),
  ].join('');
