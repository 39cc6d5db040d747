import { formatBytes } from '#server/text/format-bytes.ts';
import type { EntryView } from '../contract.ts';
import { createYielding } from '../read/yield.ts';
import type { Plan } from '../extract/plan.ts';
import { folderPath, indexOf } from '../read/selection.ts';
import { nameKey } from '#server/text/file-names.ts';
import { sortKey } from '#server/text/sort-key.ts';

/** An entry of a list: an index into `folders` or `files`. */
interface Line {
  type: 'folder' | 'file';
  index: number;
}

interface Page {
  offset: number;
  limit: number;
}

/** The contents of an archive, to be listed folder by folder. */
export function contentsOf(plan: Plan) {
  const { folders, files } = plan;
  const index = indexOf(plan);
  const sums = sumsOf(plan);
  const lists = new Map<number, Line[]>();
  const add = (parent: number, line: Line): void => {
    const list = lists.get(parent);
    if (list) list.push(line);
    else lists.set(parent, [line]);
  };
  for (const [index, { parent }] of folders.entries()) add(parent, { type: 'folder', index });
  for (const [index, { folder }] of files.entries()) add(folder, { type: 'file', index });
  const sorted = new Set<number>();
  /** The last search, since its next page is likely to be requested. */
  let lastSearch: { text: string; lines: Line[] } | undefined;

  const nameOf = ({ type, index }: Line): string =>
    (type === 'folder' ? folders[index]! : files[index]!).name;
  const parentOf = ({ type, index }: Line): number =>
    type === 'folder' ? folders[index]!.parent : files[index]!.folder;
  const pathPrefix = (folder: number): string => (folder < 0 ? '' : `${folderPath(plan, folder)}/`);

  /** Yields while it computes the sort keys, since a folder may contain all 65,536 entries. */
  async function sort(lines: readonly Line[]): Promise<Line[]> {
    const yieldIfDue = createYielding();
    const keys = new Map<Line, string>();
    for (const line of lines) {
      keys.set(line, (line.type === 'folder' ? '0' : '1') + sortKey(nameOf(line)));
      await yieldIfDue();
    }
    return lines.toSorted((a, b) => (keys.get(a)! < keys.get(b)! ? -1 : 1));
  }

  async function matching(text: string): Promise<Line[]> {
    const yieldIfDue = createYielding();
    const wanted = nameKey(text);
    const lines: Line[] = [];
    for (const list of lists.values()) {
      for (const line of list) {
        if (nameKey(nameOf(line)).includes(wanted)) lines.push(line);
        await yieldIfDue();
      }
    }
    return sort(lines);
  }

  function view(line: Line): EntryView {
    const { type, index } = line;
    const path = pathPrefix(parentOf(line)) + nameOf(line);
    if (type === 'folder') {
      const { name } = folders[index]!;
      const sum = sums[index]!;
      const facts = { file_type: null, formatted_size: formatBytes(sum.size), modified: null };
      return { name, path, type, ...facts, ...sum };
    }
    const { name, type: file_type, entry } = files[index]!;
    const { size, modified, encryption } = entry;
    const facts = { size, formatted_size: formatBytes(size), files: null, modified };
    return { name, path, type, file_type, ...facts, encrypted: encryption !== null };
  }

  const pageOf = (lines: readonly Line[], { offset, limit }: Page) => ({
    entries: lines.slice(offset, offset + limit).map(view),
    total: lines.length,
  });

  return {
    plan,
    ...index,

    async list(folder: number, page: Page) {
      if (!sorted.has(folder)) lists.set(folder, await sort(lists.get(folder) ?? []));
      sorted.add(folder);
      return pageOf(lists.get(folder)!, page);
    },

    /** Files and folders whose name contains `text`, in the whole archive. */
    async find(text: string, page: Page) {
      if (lastSearch?.text !== text) lastSearch = { text, lines: await matching(text) };
      return pageOf(lastSearch.lines, page);
    },
  };
}
export type Contents = ReturnType<typeof contentsOf>;

/** The totals of each folder, including all of its subfolders. */
function sumsOf({ folders, files }: Plan): Pick<EntryView, 'size' | 'files' | 'encrypted'>[] {
  const sums = folders.map(() => ({ size: 0, files: 0, encrypted: false }));
  for (const { folder, entry } of files) {
    const sum = sums[folder];
    if (!sum) continue;
    sum.size += entry.size;
    sum.files += 1;
    sum.encrypted ||= entry.encryption !== null;
  }
  // Backwards, since folders precede their subfolders: a folder's total is complete before it is added to its parent's.
  for (let index = folders.length - 1; index >= 0; index -= 1) {
    const [sum, parent] = [sums[index]!, sums[folders[index]!.parent]];
    if (!parent) continue;
    parent.size += sum.size;
    parent.files += sum.files;
    parent.encrypted ||= sum.encrypted;
  }
  return sums;
}
