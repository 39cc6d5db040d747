import { formatBytes } from '#server/text/format-bytes.ts';
import type { EntryView } from '../contract.ts';
import { createYielding } from '../read/yield.ts';
import type { Plan } from '../extract/plan.ts';
import { folderPath, indexOf } from '../read/selection.ts';
import { nameKey } from '#server/text/names.ts';
import { sortKey } from '#server/text/sort-key.ts';

/** A line before it is shown: an index of `folders` or `files`. */
interface Line {
  type: 'folder' | 'file';
  at: number;
}

interface Part {
  offset: number;
  limit: number;
}

/** What an archive holds, to be looked at folder by folder. */
export function contentsOf(plan: Plan) {
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
  /** What was looked for last: whoever reads on asks for the next part of the same. */
  let found: { text: string; lines: Line[] } | undefined;

  const nameOf = ({ type, at }: Line): string => (type === 'folder' ? folders[at]! : files[at]!).name;
  const parentOf = ({ type, at }: Line): number =>
    type === 'folder' ? folders[at]!.parent : files[at]!.folder;
  const above = (folder: number): string => (folder < 0 ? '' : `${folderPath(plan, folder)}/`);

  /** The keys are made in steps, since a folder may hold all 65,536. */
  async function sort(lines: readonly Line[]): Promise<Line[]> {
    const breathe = createYielding();
    const keys = new Map<Line, string>();
    for (const line of lines) {
      keys.set(line, (line.type === 'folder' ? '0' : '1') + sortKey(nameOf(line)));
      await breathe();
    }
    return lines.toSorted((a, b) => (keys.get(a)! < keys.get(b)! ? -1 : 1));
  }

  async function matching(text: string): Promise<Line[]> {
    const breathe = createYielding();
    const wanted = nameKey(text);
    const lines: Line[] = [];
    for (const list of lists.values()) {
      for (const line of list) {
        if (nameKey(nameOf(line)).includes(wanted)) lines.push(line);
        await breathe();
      }
    }
    return sort(lines);
  }

  function view(line: Line): EntryView {
    const { type, at } = line;
    const path = above(parentOf(line)) + nameOf(line);
    if (type === 'folder') {
      const { name } = folders[at]!;
      const sum = sums[at]!;
      const facts = { file_type: null, formatted_size: formatBytes(sum.size), modified: null };
      return { name, path, type, ...facts, ...sum };
    }
    const { name, type: file_type, entry } = files[at]!;
    const { size, modified, encryption } = entry;
    const facts = { size, formatted_size: formatBytes(size), files: null, modified };
    return { name, path, type, file_type, ...facts, encrypted: encryption !== null };
  }

  const part = (lines: readonly Line[], { offset, limit }: Part) => ({
    entries: lines.slice(offset, offset + limit).map(view),
    total: lines.length,
  });

  return {
    plan,
    ...index,

    async list(folder: number, which: Part) {
      if (!sorted.has(folder)) lists.set(folder, await sort(lists.get(folder) ?? []));
      sorted.add(folder);
      return part(lists.get(folder)!, which);
    },

    /** What has `text` in its name, in whatever folder. */
    async find(text: string, which: Part) {
      if (found?.text !== text) found = { text, lines: await matching(text) };
      return part(found.lines, which);
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
