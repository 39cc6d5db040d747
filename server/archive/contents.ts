import { formatBytes } from '#server/documents/contract.ts';
import type { EntryView } from './contract.ts';
import { createBreathing } from './unzip/breathing.ts';
import type { Plan } from './unzip/plan.ts';
import { folderPath, indexOf } from './unzip/selection.ts';
import type { Naming } from './unzip/tree.ts';

/** A line before it is shown: an index of `folders` or `files`. */
interface Line {
  type: 'folder' | 'file';
  at: number;
}

/** What an archive holds, to be looked at folder by folder. */
export function contentsOf(plan: Plan, naming: Pick<Naming, 'order'>) {
  const { folders, files } = plan;
  const index = indexOf(plan);
  const sums = sumsOf(plan);
  const lists = new Map<number, Line[]>();
  const put = (parent: number, line: Line): void => {
    const list = lists.get(parent);
    if (list) list.push(line);
    else lists.set(parent, [line]);
  };
  for (const [at, { parent }] of folders.entries()) put(parent, { type: 'folder', at });
  for (const [at, { folder }] of files.entries()) put(folder, { type: 'file', at });
  const sorted = new Set<number>();

  const nameOf = ({ type, at }: Line): string => (type === 'folder' ? folders[at]! : files[at]!).name;

  /** Sorted when first looked at; the keys are made in steps, since a folder may hold all 65,536. */
  async function sort(folder: number, lines: Line[]): Promise<void> {
    const breathe = createBreathing();
    const keys = new Map<Line, string>();
    for (const line of lines) {
      keys.set(line, (line.type === 'folder' ? '0' : '1') + naming.order(nameOf(line)));
      await breathe();
    }
    lines.sort((a, b) => (keys.get(a)! < keys.get(b)! ? -1 : 1));
    sorted.add(folder);
  }

  function view({ type, at }: Line, above: string): EntryView {
    if (type === 'folder') {
      const { name } = folders[at]!;
      const sum = sums[at]!;
      return {
        name,
        path: above + name,
        type,
        file_type: null,
        formatted_size: formatBytes(sum.size),
        ...sum,
      };
    }
    const { name, type: file_type, entry } = files[at]!;
    const { size, encryption } = entry;
    const facts = { size, formatted_size: formatBytes(size), files: null, encrypted: encryption !== null };
    return { name, path: above + name, type, file_type, ...facts };
  }

  return {
    plan,
    ...index,
    async list(folder: number, { offset, limit }: { offset: number; limit: number }) {
      const lines = lists.get(folder) ?? [];
      if (!sorted.has(folder)) await sort(folder, lines);
      const above = folder < 0 ? '' : `${folderPath(plan, folder)}/`;
      const entries = lines.slice(offset, offset + limit).map((line) => view(line, above));
      return { entries, total: lines.length };
    },
  };
}
export type Contents = ReturnType<typeof contentsOf>;

/** What each folder holds, with everything below it. */
function sumsOf({ folders, files }: Plan): Pick<EntryView, 'size' | 'files' | 'encrypted'>[] {
  const sums = folders.map(() => ({ size: 0, files: 0, encrypted: false }));
  for (const { folder, entry } of files) {
    const sum = sums[folder];
    if (!sum) continue;
    sum.size += entry.size;
    sum.files += 1;
    sum.encrypted ||= entry.encryption !== null;
  }
  // From the last to the first: what a folder holds is counted before it is added to the one above.
  for (let at = folders.length - 1; at >= 0; at -= 1) {
    const [sum, above] = [sums[at]!, sums[folders[at]!.parent]];
    if (!above) continue;
    above.size += sum.size;
    above.files += sum.files;
    above.encrypted ||= sum.encrypted;
  }
  return sums;
}
