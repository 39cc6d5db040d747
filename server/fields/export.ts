import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError } from '#server/http/errors.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import { requireDownload } from '#server/links/links.ts';
import { FIELD_KINDS } from '#server/recognition/contract.ts';
import type { ValueKind } from '#server/recognition/contract.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { EXPORT_MAX } from './contract.ts';
import { nameOf } from './names.ts';
import type { Fields } from './service.ts';
import type { SheetCell, SheetForm, SheetContent } from './workbook.ts';
import { cellOf, sheetBytes, CONTENT_TYPES } from './workbook.ts';

export interface FieldExportDependencies {
  clock: Clock;
  audit: Pick<Audit, 'recordAlone'>;
  daily: Pick<DailyLimit, 'count'>;
  documents: Pick<Documents, 'openFile' | 'views' | 'walk'>;
  fields: Pick<Fields, 'knownFields' | 'table'>;
}

/** A generated file with documents' values. */
export interface SheetFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** Files loaded before yielding to other work. */
const BATCH = 100;
const ORDER = Object.keys(FIELD_KINDS);
const widthOf = (kind: ValueKind): number =>
  ({ text: 28, identifier: 20, amount: 16, number: 10, date: 12, period: 14 })[kind];

const stem = (name: string): string => name.replace(/\.[^.]{1,10}$/, '');

/**
 * Exports documents' values as tables. It demands download permission, and each document counts towards the daily
 * limit.
 */
export function createFieldExport({ clock, audit, daily, documents, fields }: FieldExportDependencies) {
  /** The files among these items and below, in list order. @throws {AppError} 404; 422 for none or too many. */
  async function filesOf(actor: Actor, ids: readonly number[]): Promise<{ id: number; path: string }[]> {
    const files: { id: number; path: string }[] = [];
    for await (const { id, type, path } of documents.walk(actor, [...new Set(ids)])) {
      if (type !== 'file') continue;
      files.push({ id, path: path.join('/') });
      if (files.length > EXPORT_MAX)
        throw new AppError(
          422,
          'too_many',
          'These are more than 2,000 files. Choose fewer, such as one folder.',
        );
    }
    if (files.length === 0) throw new AppError(422, 'no_files', 'There are no files among these.');
    return files;
  }

  async function gather(actor: Actor, ids: readonly number[]): Promise<SheetContent & { ids: number[] }> {
    const files = await filesOf(actor, ids);
    const columns = new Map<string, ValueKind>();
    const lines: { head: SheetCell[]; values: Map<string, SheetCell> }[] = [];
    for (let start = 0; start < files.length; start += BATCH) {
      const batch = files.slice(start, start + BATCH);
      const batchIds = batch.map(({ id }) => id);
      const knownById = await fields.knownFields(actor, batchIds);
      const views = new Map((await documents.views(actor, batchIds)).map((view) => [view.id, view]));
      for (const { id, path } of batch) {
        const known = knownById.get(id);
        const values = new Map<string, SheetCell>();
        for (const { id: field, kind, value } of known?.fields ?? []) {
          if (!columns.has(field)) columns.set(field, kind);
          values.set(field, cellOf(kind, value));
        }
        const unsure =
          (known?.fields.filter(({ sure }) => !sure).length ?? 0) + (known?.type && !known.typeSure ? 1 : 0);
        const type = known?.type ? nameOf(known.type) : null;
        const toCheck = unsure > 0 ? { number: unsure, amount: false } : null;
        lines.push({
          head: [path, views.get(id)?.client_name ?? null, type, known?.period ?? null, toCheck],
          values,
        });
      }
      await yieldToOthers();
    }
    const rank = (id: string) => ORDER.indexOf(id.split('~')[0]!);
    const ordered = [...columns].toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
    return {
      ids: files.map(({ id }) => id),
      name: 'Documents',
      headings: [
        'Document',
        'Client',
        'Type',
        'Period',
        'Values to check',
        ...ordered.map(([id]) => nameOf(id)),
      ],
      widths: [40, 28, 24, 14, 10, ...ordered.map(([, kind]) => widthOf(kind))],
      rows: lines.map(({ head, values }) => [...head, ...ordered.map(([id]) => values.get(id) ?? null)]),
    };
  }

  async function sheetFile(name: string, content: SheetContent, form: SheetForm): Promise<SheetFile> {
    return { name: `${name}.${form}`, type: CONTENT_TYPES[form], bytes: await sheetBytes(content, form) };
  }

  return {
    /**
     * Exports the values of these files and of those in these folders, one row per document.
     * @throws {AppError} 404, 403, 429; 422 for more than 2,000.
     */
    async documents(actor: Actor, ids: readonly number[], form: SheetForm): Promise<SheetFile> {
      requireDownload(actor);
      const { ids: files, ...content } = await gather(actor, ids);
      const event = { detail: { files: files.length, form } };
      await daily.count(actor, randomUUID(), event, files.length);
      const sheet = await sheetFile(`Documents ${dayInIndia(clock())}`, content, form);
      await audit.recordAlone({ actor, did: 'field.export', ...event, concerns: { items: files } });
      return sheet;
    },

    /** Exports a table of a file; rows whose balance breaks are marked. @throws {AppError} 404, 403, 429. */
    async table(actor: Actor, id: number, index: number, form: SheetForm): Promise<SheetFile> {
      const { name } = await documents.openFile(actor, id);
      requireDownload(actor);
      const { key, columns, rows, breaks } = await fields.table(actor, id, index);
      const event = { subject: `item:${id}`, detail: { name, form } };
      await daily.count(actor, randomUUID(), event);
      const broken = new Set(breaks);
      const content: SheetContent = {
        name: nameOf(key),
        headings: [...columns.map((column) => nameOf(column.key)), ...(breaks ? ['To check'] : [])],
        widths: [...columns.map(({ kind }) => widthOf(kind)), ...(breaks ? [24] : [])],
        rows: rows.map(({ cells }, row) => [
          ...columns.map(({ kind }, column) => cellOf(kind, cells[column] ?? null)),
          ...(breaks ? [broken.has(row) ? 'The balance does not follow' : null] : []),
        ]),
      };
      const sheet = await sheetFile(`${stem(name)} ${nameOf(key).toLowerCase()}`, content, form);
      await audit.recordAlone({ actor, did: 'field.export', ...event });
      return sheet;
    },
  };
}
export type FieldExport = ReturnType<typeof createFieldExport>;
