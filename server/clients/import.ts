import type { Knex } from 'knex';
import * as v from 'valibot';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/auth/contract.ts';
import { AppError, forbidden, invalid } from '#server/http/errors.ts';
import type { Clock } from '../clock.ts';
import { guessFields, headingRow, isTotal, readCell, typeByPan } from './columns.ts';
import type { ClientField, ClientInput, ImportPreview, ImportRow } from './contract.ts';
import { clientFields, clientInput, normaliseIdentifier, panOf } from './contract.ts';
import { Client } from './model.ts';
import { mayWrite } from './policy.ts';
import { readTable } from './table.ts';
import { count } from './totals.ts';

export interface ImportParts {
  db: Knex;
  clock: Clock;
  audit: Audit;
  /** The columns of a client that follow from the others. */
  derived: (client: ClientInput) => Partial<Client>;
}

/** A column's field or null, for each column. */
type Fields = readonly (ClientField | null)[];
export interface Choices {
  /** Otherwise the one that looks most like a list of clients. */
  sheet?: string | undefined;
  /** Whether rows that are wrong are left out, instead of nothing being imported. */
  leave_out?: boolean;
}

type Given = Partial<Record<ClientField, string>>;
interface Planned extends ImportRow {
  input: ClientInput | null;
  before: Client | null;
}

const FIELDS = Object.keys(clientFields) as ClientField[];
const BATCH = 200;

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

export function createImport({ db, clock, audit, derived }: ImportParts) {
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

  function check(
    values: Given,
    before: Client | null,
  ): { input: ClientInput | null; errors: ImportRow['errors'] } {
    // An empty cell leaves what is there.
    const kept = before && Object.fromEntries(FIELDS.map((field) => [field, before[field]]));
    const whole = { client_type: typeByPan(values.pan), ...kept, ...values };
    // The same number written otherwise is no change.
    if (before?.phone && readCell('phone', before.phone) === values.phone) whole.phone = before.phone;
    const result = v.safeParse(clientInput, whole);
    if (result.success) return { input: result.output, errors: {} };
    const errors: Record<string, string[]> = {};
    for (const issue of result.issues) {
      const field = String(issue.path?.[0]?.key ?? 'name');
      errors[field] ??= [field === 'name' && !values.name ? 'Name is required' : issue.message];
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

  async function plan(
    trx: Knex,
    actor: Actor,
    bytes: Buffer,
    chosen: Fields | null,
    wanted: string | undefined,
  ) {
    const { rows: all, ...from } = await readTable(bytes, wanted);
    const top = headingRow(all.map(({ cells }) => cells));
    const header = all[top]?.cells ?? [];
    const below = all.slice(top + 1);
    const width = Math.max(header.length, ...below.slice(0, 50).map(({ cells }) => cells.length));
    const fields = chosen
      ? Array.from({ length: width }, (_, at) => chosen[at] ?? null)
      : guessFields(header);
    const read = below.map((row) => ({ ...row, values: given(row.cells, fields) }));
    const rows = read.filter(({ cells, values }) => {
      if (isTotal(cells) || cells.join('\n') === header.join('\n')) return false;
      // As long as nobody has said where the name is, any row may have one.
      return Object.keys(values).length > 0 || !fields.includes('name');
    });
    const clients = new Set([all[top]?.line, ...rows.map(({ line }) => line)]);
    const aside = all.map(({ line }) => line).filter((line) => !clients.has(line));
    const known = directory<Client>();
    for (const client of await Client.query(trx).where('firm_id', actor.firmId)) known.add(client);
    const seen = directory<Partial<ClientInput> & { line: number }>();

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
      const { name = before?.name ?? '', pan = null, gstin = null, email = null } = values;
      const shown = { name, pan, gstin, email };
      return {
        line,
        ...shown,
        action,
        errors,
        client_id: before?.id ?? null,
        input: failed ? null : input,
        before,
      };
    });
    return { ...from, header, fields, width, rows, planned, aside };
  }

  const counted = (planned: readonly Planned[]) => {
    const counts = { create: 0, update: 0, same: 0, error: 0 };
    for (const { action } of planned) counts[action] += 1;
    return counts;
  };

  return {
    /** What an import would do; nothing is written. `fields` is null to have them guessed. @throws {AppError} 403, 422. */
    async preview(
      actor: Actor,
      bytes: Buffer,
      fields: Fields | null,
      { sheet: wanted }: Choices = {},
    ): Promise<ImportPreview> {
      if (!mayWrite(actor)) throw forbidden();
      const read = await plan(db, actor, bytes, fields, wanted);
      const { header, fields: mapped, width, rows, planned, aside, sheet, sheets } = read;
      return {
        columns: Array.from({ length: width }, (_, at) => ({
          heading: header[at] ?? '',
          sample: rows.find(({ cells }) => cells[at])?.cells[at]?.slice(0, 80) ?? '',
          field: mapped[at] ?? null,
        })),
        rows: planned.map(({ input: _input, before: _before, ...row }) => row),
        counts: counted(planned),
        aside,
        sheet,
        sheets,
      };
    },

    /**
     * Writes all rows, or none; all that are right, if so chosen.
     * @throws {AppError} 403; 422 on `file` when it can't be read, 422 `import_errors` when a row is wrong.
     */
    async run(actor: Actor, bytes: Buffer, fields: Fields, { sheet, leave_out = false }: Choices = {}) {
      if (!mayWrite(actor)) throw forbidden();
      if (!fields.includes('name')) throw invalid({ mapping: ['Say which column holds the name'] });
      // Read before the transaction: everybody else waits for that.
      const before = await plan(db, actor, bytes, fields, sheet);
      const counts = counted(before.planned);
      if (counts.error > 0 && !leave_out) {
        const { line, errors } = before.planned.find(({ action }) => action === 'error')!;
        const message = `Nothing was imported: ${counts.error} of ${before.planned.length} rows are wrong. Line ${line}: ${Object.values(errors)[0]?.[0]}`;
        throw new AppError(422, 'import_errors', message, { errors: { file: [message] } });
      }
      const now = clock().toISOString();
      const kinds = new Map<string, number>();
      const tally = ({ client_type, status }: Pick<ClientInput, 'client_type' | 'status'>, by: number) =>
        kinds.set(`${client_type}/${status}`, (kinds.get(`${client_type}/${status}`) ?? 0) + by);
      await db.transaction(async (trx) => {
        const fresh = before.planned.filter(({ action }) => action === 'create').map(({ input }) => input!);
        const row = (input: ClientInput) => ({
          ...input,
          ...derived(input),
          firm_id: actor.firmId,
          created_at: now,
          updated_at: now,
        });
        for (let at = 0; at < fresh.length; at += BATCH)
          await trx('clients').insert(fresh.slice(at, at + BATCH).map(row));
        for (const input of fresh) tally(input, 1);
        for (const { action, input, before: old } of before.planned) {
          if (action !== 'update' || !input || !old) continue;
          const { id, version } = old;
          const changes = { ...input, ...derived(input), version: version + 1, updated_at: now };
          const done = await trx('clients').where({ id, version, firm_id: actor.firmId }).update(changes);
          if (done === 0)
            throw invalid(
              { file: ['A client was changed meanwhile. Look at the preview again.'] },
              'client_changed',
            );
          tally(old, -1);
          tally(input, 1);
        }
        for (const [kind, number] of kinds) {
          const [client_type, status] = kind.split('/') as [
            ClientInput['client_type'],
            ClientInput['status'],
          ];
          if (number !== 0) await count(trx, actor.firmId, { client_type, status }, number);
        }
        await audit.record(trx, {
          actor,
          did: 'client.import',
          detail: { created: counts.create, updated: counts.update },
        });
      });
      return {
        created: counts.create,
        updated: counts.update,
        unchanged: counts.same,
        left_out: counts.error,
      };
    },
  };
}
