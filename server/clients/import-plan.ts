import * as v from 'valibot';
import { guessFields, headingRow, isTotal, readCell, typeByNumbers } from './columns.ts';
import type { ClientField, ClientInput, ImportRow } from './contract.ts';
import { IMPORT_MAX_COLUMNS, clientFields, clientInput, normaliseIdentifier, panOf } from './contract.ts';
import type { Client } from './model.ts';
import type { Table } from './table.ts';

/** A column's field or null, for each column. */
export type Fields = readonly (ClientField | null)[];

/** What is to be done with one row. */
export interface Planned extends ImportRow {
  /** Null when it has errors. */
  input: ClientInput | null;
  /** The client that it says more about. */
  before: Client | null;
}

type Given = Partial<Record<ClientField, string>>;
type Errors = ImportRow['errors'];

const FIELDS = Object.keys(clientFields) as ClientField[];

/** Whether two say that they are the same client: by PAN and GSTIN if both have them, else by e-mail. */
function same(a: Partial<ClientInput>, b: Partial<ClientInput>): boolean {
  if (a.gstin && b.gstin) return a.gstin === b.gstin;
  if (a.pan && b.pan) return a.pan === b.pan;
  return Boolean(a.email) && a.email === b.email;
}

/** Finds clients by what identifies them, without comparing each with each. */
function directory<T extends Partial<ClientInput>>() {
  const byKey = new Map<string, T[]>();
  const keys = ({ pan, gstin, email }: Partial<ClientInput>) =>
    [pan, gstin, email].filter((key) => key != null);
  return {
    add(one: T): void {
      for (const key of keys(one)) byKey.set(key, [...(byKey.get(key) ?? []), one]);
    },
    find: (wanted: Partial<ClientInput>): T[] => [
      ...new Set(
        keys(wanted)
          .flatMap((key) => byKey.get(key) ?? [])
          .filter((one) => same(one, wanted)),
      ),
    ],
  };
}

function given(row: readonly string[], fields: Fields): Given {
  const values: Given = {};
  fields.forEach((field, at) => {
    const text = field && readCell(field, row[at] ?? '');
    if (field && text) values[field] = text;
  });
  const inside = values.gstin && panOf(normaliseIdentifier(values.gstin));
  if (inside) values.pan ??= inside;
  return values;
}

/** `9.19841E+11`: what a spreadsheet saves of a long number as CSV; the other digits are lost. */
const SHORTENED = /^\d(?:\.\d+)?E\+?\d+$/i;
const SHOWN = 40;

/** Why a cell is refused, and what stands in it. */
function faultOf(field: ClientField, text: string | undefined, fault: string): string {
  if (!text) return field === 'name' ? 'Name is required' : fault;
  const why =
    field === 'phone' && SHORTENED.test(text)
      ? 'The spreadsheet has shortened this number. Choose the Excel file itself instead of the CSV'
      : fault;
  return `${why} ("${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}")`;
}

function check(values: Given, before: Client | null): { input: ClientInput | null; errors: Errors } {
  // An empty cell leaves what is there.
  const kept = before && Object.fromEntries(FIELDS.map((field) => [field, before[field]]));
  const whole = { client_type: typeByNumbers(values), ...kept, ...values };
  // The same number written otherwise is no change.
  if (before?.phone && readCell('phone', before.phone) === values.phone) whole.phone = before.phone;
  const result = v.safeParse(clientInput, whole);
  if (result.success) return { input: result.output, errors: {} };
  const errors: Errors = {};
  for (const issue of result.issues) {
    const field = (issue.path?.[0]?.key ?? 'name') as ClientField;
    errors[field] ??= [faultOf(field, values[field], issue.message)];
  }
  return { input: null, errors };
}

/** The identifying fields that a row gives rightly; the rest is told when the row is checked. */
function identityOf(values: Given): Partial<ClientInput> {
  const identity: Partial<ClientInput> = {};
  for (const field of ['pan', 'gstin', 'email'] as const) {
    const read = v.safeParse(clientFields[field], values[field] ?? null);
    if (read.success && read.output) identity[field] = read.output;
  }
  return identity;
}

/**
 * What an import of the table would do to these clients.
 * @param chosen null to have the columns guessed.
 */
export function plan(all: Table['rows'], chosen: Fields | null, clients: readonly Client[]) {
  const top = headingRow(all.map(({ cells }) => cells));
  const header = all[top]?.cells ?? [];
  const below = all.slice(top + 1);
  const filled = (cells: readonly string[]) => cells.findLastIndex((text) => text !== '') + 1;
  const widest = Math.max(filled(header), ...below.map(({ cells }) => filled(cells)));
  const width = Math.min(widest, IMPORT_MAX_COLUMNS);
  const sample = (at: number) => below.find(({ cells }) => cells[at])?.cells[at]?.trim() ?? '';
  const wanted = chosen ?? guessFields(header, sample);
  const fields: Fields = Array.from({ length: width }, (_, at) => wanted[at] ?? null);
  const rows = below
    .map((row) => ({ ...row, values: given(row.cells, fields) }))
    .filter(({ cells, values }) => {
      if (isTotal(cells) || cells.join('\n') === header.join('\n')) return false;
      // As long as nobody has said where the name is, any row may have one.
      return Object.keys(values).length > 0 || !fields.includes('name');
    });
  const used = new Set([all[top]?.line, ...rows.map(({ line }) => line)]);
  const aside = all.map(({ line }) => line).filter((line) => !used.has(line));
  const columns = Array.from({ length: width }, (_, at) => ({
    heading: header[at] ?? '',
    sample: rows.find(({ cells }) => cells[at])?.cells[at]?.slice(0, 80) ?? '',
    field: fields[at] ?? null,
  }));

  const known = directory<Client>();
  for (const client of clients) known.add(client);
  const seen = directory<Partial<ClientInput> & { line: number }>();
  const counts = { create: 0, update: 0, same: 0, error: 0 };
  const planned = rows.map(({ line, values }): Planned => {
    const identity = identityOf(values);
    const matches = known.find(identity);
    const before = matches.length === 1 ? matches[0]! : null;
    const { input, errors } = check(values, before);
    const [twin] = seen.find(identity);
    seen.add({ ...identity, line });
    const by = identity.pan ? 'pan' : identity.gstin ? 'gstin' : 'email';
    if (twin) errors[by] ??= [`The same client is on line ${twin.line}`];
    if (matches.length > 1) errors[by] ??= ['Several clients fit this row. Give the GSTIN as well'];
    const failed = Object.keys(errors).length > 0;
    const changed = input && before && FIELDS.some((field) => input[field] !== before[field]);
    const action = failed ? 'error' : !before ? 'create' : changed ? 'update' : 'same';
    counts[action] += 1;
    const { name = before?.name ?? '', pan = null, gstin = null, email = null } = values;
    const shown = { line, name, pan, gstin, email };
    return { ...shown, action, errors, client_id: before?.id ?? null, input: failed ? null : input, before };
  });
  return { columns, rows: planned, counts, aside };
}
