import type { ItemRecords } from '#server/documents/details/contract.ts';
import { CSV_START, csvLine } from '#server/text/csv.ts';

type Cell = string | number | null;

/** A CSV table of records about items. Each line begins with the item's path and type. */
interface Table<Row> {
  name: string;
  headings: string[];
  cells: (row: Row) => Cell[];
}

const TABLES: { [Kind in keyof ItemRecords]: Table<ItemRecords[Kind][number]> } = {
  notes: {
    name: 'notes.csv',
    headings: ['Note', 'Written by', 'Written on (UTC)', 'Edited on (UTC)'],
    cells: ({ text, user_name, created_at, edited_at }) => [text, user_name, created_at, edited_at],
  },
  labels: {
    name: 'labels.csv',
    headings: ['Label', 'Colour'],
    cells: ({ name, colour }) => [name, colour],
  },
  seals: {
    name: 'seals.csv',
    headings: [
      'Name when sealed',
      'Sealed by',
      'Sealed on (UTC)',
      'Reason',
      'Files',
      'Size in bytes',
      'SHA-256 of the list of files',
      'Broken by',
      'Broken on (UTC)',
      'Reason for breaking',
    ],
    cells: (seal) => [
      seal.name,
      seal.by,
      seal.at,
      seal.reason,
      seal.files,
      seal.bytes,
      seal.digest,
      seal.broken_by,
      seal.broken_at,
      seal.break_reason,
    ],
  },
  versions: {
    name: 'versions.csv',
    headings: [
      'Name at that time',
      'Size in bytes',
      'SHA-256',
      'Uploaded by',
      'Uploaded on (UTC)',
      'Replaced on (UTC)',
      'Original date (UTC)',
      'Restored from the version of (UTC)',
      'Kept as',
    ],
    cells: (version) => [
      version.name,
      version.file_size,
      version.sha256,
      version.user_name,
      version.created_at,
      version.replaced_at,
      version.original_at,
      version.restored_from,
      version.kept_as,
    ],
  },
};

/** The tables of records about items. `add` is called once for each item, and determines the order of the lines. */
export function recordTables(records: ItemRecords) {
  const tables = [
    tableOf(TABLES.notes, records.notes),
    tableOf(TABLES.labels, records.labels),
    tableOf(TABLES.seals, records.seals),
    tableOf(TABLES.versions, records.versions),
  ];
  return {
    add(item: { id: number; type: string; path: string }): void {
      for (const { add } of tables) add(item);
    },
    files: (): { name: string; text: string }[] => tables.map(({ name, text }) => ({ name, text: text() })),
  };
}

function tableOf<Row extends { item_id: number }>(
  { name, headings, cells }: Table<Row>,
  rows: readonly Row[],
) {
  const byItem = Map.groupBy(rows, ({ item_id }) => item_id);
  const lines = [CSV_START + csvLine(['Path', 'Type', ...headings])];
  return {
    name,
    add({ id, type, path }: { id: number; type: string; path: string }): void {
      for (const row of byItem.get(id) ?? [])
        lines.push(csvLine([path, type === 'folder' ? 'Folder' : 'File', ...cells(row)]));
    },
    text: () => lines.join(''),
  };
}
