import * as v from 'valibot';
import { guessFields, headingRow, isTotal, parseCell, inferClientType } from './import-columns.ts';
import type { ClientField, ClientInput, ImportPreview, ImportRow } from './contract.ts';
import {
  IMPORT_MAX_COLUMNS,
  clientFields,
  clientInput,
  NO_SUCH_DAY,
  normaliseIdentifier,
  panOf,
} from './contract.ts';
import type { Client } from './model.ts';
import { comparableName } from './namesakes.ts';
import type { Table } from './import-table.ts';

/** The field of each column, or null. */
export type Fields = readonly (ClientField | null)[];

/** The planned change for one row. */
export interface PlannedRow extends ImportRow {
  /** Null for a row with errors. */
  input: ClientInput | null;
  /** The existing client that the row updates. */
  before: Client | null;
}

type RowValues = Partial<Record<ClientField, string>>;
type Errors = ImportRow['errors'];

const FIELDS = Object.keys(clientFields) as ClientField[];

/** Whether two records are the same client: by GSTIN or PAN if both have one, otherwise by e-mail. */
function isSameClient(a: Partial<ClientInput>, b: Partial<ClientInput>): boolean {
  if (a.gstin && b.gstin) return a.gstin === b.gstin;
  if (a.pan && b.pan) return a.pan === b.pan;
  return Boolean(a.email) && a.email === b.email;
}

/** Whether both have the PAN or the GSTIN by which they are one client; otherwise they only share an e-mail address. */
const sharesNumber = (a: Partial<ClientInput>, b: Partial<ClientInput>): boolean =>
  Boolean((a.gstin && b.gstin) || (a.pan && b.pan));

type Identity = Pick<Partial<ClientInput>, 'pan' | 'gstin' | 'email'>;

/** By e-mail and what else a client has: those with another PAN or GSTIN, as all of an office with one address, are never read. */
const emailKey = (email: string, pan: boolean, gstin: boolean): string =>
  `${email} ${Number(pan)}${Number(gstin)}`;

/** Indexes clients by their identifiers, to avoid comparing each with each. */
function createIndex<T extends Identity>() {
  const byKey = new Map<string, T[]>();
  const add = (key: string, client: T): void => {
    const clients = byKey.get(key);
    if (clients) clients.push(client);
    else byKey.set(key, [client]);
  };
  const keysOf = ({ pan, gstin, email }: Identity): string[] => [
    ...[gstin, pan].filter((key) => key != null),
    ...(email
      ? [false, true].flatMap((hasPan) =>
          [false, true].flatMap((hasGstin) =>
            (hasPan && pan) || (hasGstin && gstin) ? [] : [emailKey(email, hasPan, hasGstin)],
          ),
        )
      : []),
  ];
  return {
    add(client: T): void {
      const { pan, gstin, email } = client;
      for (const key of [gstin, pan]) if (key != null) add(key, client);
      if (email) add(emailKey(email, Boolean(pan), Boolean(gstin)), client);
    },
    /** At most two clients, which is enough to know that it is not one. */
    find(wanted: Identity): T[] {
      const found = new Set<T>();
      for (const key of keysOf(wanted))
        for (const client of byKey.get(key) ?? []) {
          if (isSameClient(client, wanted)) found.add(client);
          if (found.size === 2) return [...found];
        }
      return [...found];
    },
  };
}

function rowValues(row: readonly string[], fields: Fields): RowValues {
  const values: RowValues = {};
  fields.forEach((field, index) => {
    const text = field && parseCell(field, row[index] ?? '');
    if (field && text) values[field] = text;
  });
  const inside = values.gstin && panOf(normaliseIdentifier(values.gstin));
  if (inside) values.pan ??= inside;
  return values;
}

/** The texts of a row before they are parsed. */
const typedValues = (row: readonly string[], fields: Fields): RowValues =>
  Object.fromEntries(
    fields.flatMap((field, index) => (field && row[index]?.trim() ? [[field, row[index].trim()]] : [])),
  );

/** `9.19841E+11`: a long number that a spreadsheet has shortened in CSV; its last digits are lost. */
const SCIENTIFIC_NOTATION = /^\d(?:\.\d+)?E\+?\d+$/i;
const MAX_SHOWN_CHARACTERS = 40;

/** The error text of a cell, with its content as it is in the file. */
function cellError(field: ClientField, text: string | undefined, fault: string): string {
  if (text && fault === NO_SUCH_DAY) return `There is no ${text}`;
  if (!text) return field === 'name' ? 'Name is required' : fault;
  const why =
    field === 'phone' && SCIENTIFIC_NOTATION.test(text)
      ? 'The spreadsheet has shortened this number. Choose the Excel file itself instead of the CSV'
      : fault;
  return `${why} ("${text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text}")`;
}

function validateRow(
  values: RowValues,
  typed: RowValues,
  before: Client | null,
): { input: ClientInput | null; errors: Errors } {
  // An empty cell keeps the stored value.
  const existing = before && Object.fromEntries(FIELDS.map((field) => [field, before[field]]));
  const merged = { client_type: inferClientType(values), ...existing, ...values };
  // A different spelling of the same phone number is not a change.
  if (before?.phone && parseCell('phone', before.phone) === values.phone) merged.phone = before.phone;
  const result = v.safeParse(clientInput, merged);
  if (result.success) return { input: result.output, errors: {} };
  const errors: Errors = {};
  for (const issue of result.issues) {
    const field = (issue.path?.[0]?.key ?? 'name') as ClientField;
    errors[field] ??= [cellError(field, values[field] && (typed[field] ?? values[field]), issue.message)];
  }
  return { input: null, errors };
}

const changesOf = (before: Client, after: ClientInput): ImportRow['changes'] =>
  FIELDS.filter((field) => after[field] !== before[field]).map((field) => ({
    field,
    before: before[field],
    after: after[field],
  }));

/** The valid identifiers of a row; `validateRow` reports invalid ones. */
function identityOf(values: RowValues): Partial<ClientInput> {
  const identity: Partial<ClientInput> = {};
  for (const field of ['pan', 'gstin', 'email'] as const) {
    const read = v.safeParse(clientFields[field], values[field] ?? null);
    if (read.success && read.output) identity[field] = read.output;
  }
  return identity;
}

export function countActions(rows: readonly Pick<ImportRow, 'action'>[]): ImportPreview['counts'] {
  const counts = { create: 0, update: 0, same: 0, error: 0 };
  for (const { action } of rows) counts[action] += 1;
  return counts;
}

/**
 * Plans the import of a table.
 * @param chosen null to guess the columns.
 * @param skipped the lines of rows that are not imported, which therefore take no client from a later row; null where nobody has
 * chosen yet: those that may give a client the name of somebody else.
 */
export function plan(
  all: Table['rows'],
  chosen: Fields | null,
  clients: readonly Client[],
  skipped: ReadonlySet<number> | null = null,
) {
  const top = headingRow(all.map(({ cells }) => cells));
  const header = all[top]?.cells ?? [];
  const below = all.slice(top + 1);
  const filled = (cells: readonly string[]) => cells.findLastIndex((text) => text !== '') + 1;
  const widest = Math.max(filled(header), ...below.map(({ cells }) => filled(cells)));
  const width = Math.min(widest, IMPORT_MAX_COLUMNS);
  const sample = (column: number) => below.find(({ cells }) => cells[column])?.cells[column]?.trim() ?? '';
  const wanted = chosen ?? guessFields(header, sample);
  const fields: Fields = Array.from({ length: width }, (_, index) => wanted[index] ?? null);
  const rows = below
    .map((row) => ({ ...row, values: rowValues(row.cells, fields) }))
    .filter(({ cells, values }) => {
      if (isTotal(cells) || cells.join('\n') === header.join('\n')) return false;
      // Until the name column is chosen, any row may hold a client.
      return Object.keys(values).length > 0 || !fields.includes('name');
    });
  const used = new Set([all[top]?.line, ...rows.map(({ line }) => line)]);
  const aside = all.map(({ line }) => line).filter((line) => !used.has(line));
  const columns = Array.from({ length: width }, (_, index) => ({
    heading: header[index] ?? '',
    sample: rows.find(({ cells }) => cells[index])?.cells[index]?.slice(0, 80) ?? '',
    field: fields[index] ?? null,
  }));

  const known = createIndex<Client>();
  for (const client of clients) known.add(client);
  const seen = createIndex<Identity & { line: number }>();
  /** The line of each client that a row updates: rows with different numbers of one client have nothing in common. */
  const lineOf = new Map<number, number>();
  const names = new Set(clients.map(({ name }) => comparableName(name)));
  const planned = rows.map(({ line, cells, values }): PlannedRow => {
    const identity = identityOf(values);
    const matches = known.find(identity);
    const before = matches.length === 1 ? matches[0]! : null;
    const { input, errors } = validateRow(values, typedValues(cells, fields), before);
    const earlier = seen.find(identity)[0]?.line ?? (before ? lineOf.get(before.id) : undefined);
    const by = identity.pan ? 'pan' : identity.gstin ? 'gstin' : 'email';
    if (earlier !== undefined) errors[by] ??= [`The same client is on line ${earlier}`];
    if (matches.length > 1) errors[by] ??= ['Several clients fit this row. Give the GSTIN as well'];
    const hasErrors = Object.keys(errors).length > 0;
    const changes = !hasErrors && input && before ? changesOf(before, input) : [];
    const action = hasErrors ? 'error' : !before ? 'create' : changes.length > 0 ? 'update' : 'same';
    const { name = before?.name ?? '', pan = null, gstin = null, email = null } = values;
    const renames =
      action === 'update' &&
      !sharesNumber(before!, identity) &&
      comparableName(before!.name) !== comparableName(name);
    if (!(skipped?.has(line) ?? renames)) {
      seen.add({ ...identity, line });
      if (before && earlier === undefined) lineOf.set(before.id, line);
    }
    const namesake = action === 'create' && names.has(comparableName(name));
    if (action === 'create') names.add(comparableName(name));
    const shown = { line, name, pan, gstin, email };
    return {
      ...shown,
      action,
      errors,
      client_id: before?.id ?? null,
      namesake,
      changes,
      renames,
      input: hasErrors ? null : input,
      before,
    };
  });
  return { columns, rows: planned, aside };
}
