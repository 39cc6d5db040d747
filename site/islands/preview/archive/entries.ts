import type { EntriesView, EntryView } from '#server/archive/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/preview.ts';

/** An entry of an archive as the drive's listing takes it. */
export interface EntryItem extends ItemView {
  entry: EntryView;
}

/** Below zero: a row of the drive behind the preview may not have the same. */
const idAt = (index: number): number => -index - 1;

export function itemsOf(pages: readonly EntriesView[], archive: ItemView): EntryItem[] {
  return pages
    .flatMap(({ entries }) => entries)
    .map((entry, index) => ({
      ...archive,
      id: idAt(index),
      name: entry.name,
      type: entry.type,
      file_type: entry.file_type,
      file_size: entry.size,
      formatted_file_size: entry.formatted_size,
      size: entry.formatted_size,
      modified_at: entry.modified ?? '',
      children_count: entry.files,
      path: null,
      client: null,
      client_name: null,
      entry,
    }));
}

/** The folder that an entry lies in; '' for the archive's top. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/**
 * What to ask of an extraction for these entries: nothing in particular when they are the whole archive, and the
 * folder alone when they are all it holds.
 */
export function requestFor(
  chosen: readonly EntryItem[],
  { path, search, total }: { path: string; search: string; total: number },
): { entries?: string[] } {
  const whole = search === '' && (chosen.length === total || chosen.length === 0);
  if (!whole) return { entries: chosen.map(({ entry }) => entry.path) };
  return path === '' || chosen.length === 0 ? {} : { entries: [path] };
}

/** The way to a folder of the archive, each step with the page's own address. Of a long one the middle is cut to `…`. */
export function crumbsTo(path: string, href: string) {
  const names = path === '' ? [] : path.split('/');
  const steps = names.map((name, n) => ({ id: names.slice(0, n + 1).join('/'), name, href }));
  const [cut, ...last] = steps.slice(-3);
  const shown = cut && steps.length > 3 ? [{ ...cut, name: '…' }, ...last] : steps;
  return [{ id: '', name: t.contents, href }, ...shown];
}
