import { dirname, join } from 'node:path/posix';
import type { Sheet, SheetLimits } from './contract.ts';
import { SheetsUnreadable } from './contract.ts';
import { openParts } from './office-package.ts';
import type { Parts } from './office-package.ts';
import { readStrings } from './strings.ts';
import { readDateStyles } from './styles.ts';
import { readWorksheet } from './worksheet.ts';

const DEFAULT_PATH = 'xl/workbook.xml';

interface Relation {
  /** The last segment of its type: `worksheet`, `styles`. */
  type: string;
  path: string;
}

/** The relations of a part, by id. */
async function relationsOf(parts: Parts, path: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  const folder = dirname(path);
  const list = join(folder, '_rels', `${path.slice(path.lastIndexOf('/') + 1)}.rels`);
  if (!parts.has(list)) return relations;
  await parts.read(list, {
    open(name, { Id, Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || !Id || TargetMode === 'External') return;
      const target = Target.replaceAll('\\', '/');
      const path = target.startsWith('/') ? target.slice(1) : join(folder, target);
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), path });
    },
  });
  return relations;
}

interface Listed {
  name: string;
  hidden: boolean;
  path: string;
}

/** The worksheets in order, without charts and the like. */
async function contentsOf(parts: Parts, path: string, relations: ReadonlyMap<string, Relation>) {
  const sheets: Listed[] = [];
  let from1904 = false;
  await parts.read(path, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /^(?:\w+:)?id$/.test(key))?.[1];
      const relation = relations.get(id ?? '');
      if (relation?.type === 'worksheet')
        sheets.push({
          name: attributes.name ?? '',
          hidden: /hidden/i.test(attributes.state ?? ''),
          path: relation.path,
        });
    },
  });
  return { sheets, from1904 };
}

/**
 * Reads the sheets of an Excel workbook (.xlsx, .xlsm): its list, strings, styles and cells, and no macro, picture,
 * link or formula.
 * @throws {SheetsUnreadable}
 */
export async function readWorkbook(bytes: Buffer, limits: SheetLimits): Promise<Sheet[]> {
  const parts = await openParts(bytes);
  const main = [...(await relationsOf(parts, '')).values()].find(({ type }) => type === 'officeDocument');
  const path = main?.path ?? DEFAULT_PATH;
  if (!parts.has(path) || !path.endsWith('.xml') || /^(?:word|ppt)\//.test(path))
    throw new SheetsUnreadable('not_a_table');
  const relations = await relationsOf(parts, path);
  const partOf = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.path;
  const { sheets: listed, from1904 } = await contentsOf(parts, path, relations);
  const strings = await readStrings(parts, partOf('sharedStrings'));
  const dateStyles = await readDateStyles(parts, partOf('styles'));
  const budget = { cells: limits.rows * 100, letters: 16_000_000 };
  const sheets: Sheet[] = [];
  for (const { path: at, ...sheet } of listed.slice(0, limits.sheets)) {
    const read = await readWorksheet(parts, at, { strings, dateStyles, from1904, limits, budget });
    sheets.push({ ...sheet, ...read });
  }
  return sheets;
}
