import type { EntriesView, EntryView } from '#server/archive/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/preview.ts';

/** Converts an archive entry to an item for the list. */
export interface EntryItem extends ItemView {
  entry: EntryView;
}

/** Negative, to differ from the ids of the drive's rows behind the preview. */
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

/** The folder of an entry; '' for the archive's root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/**
 * The extraction request for these entries: without paths if they are the whole archive, and only the folder's path if
 * they are all of its contents.
 */
export function requestFor(
  chosen: readonly EntryItem[],
  { path, search, total }: { path: string; search: string; total: number },
): { entries?: string[] } {
  const isWhole = search === '' && (chosen.length === total || chosen.length === 0);
  if (!isWhole) return { entries: chosen.map(({ entry }) => entry.path) };
  return path === '' || chosen.length === 0 ? {} : { entries: [path] };
}

/** The breadcrumbs of an archive folder, each linking to the page itself. The middle of a long path is replaced by `…`. */
export function crumbsTo(path: string, href: string) {
  const names = path === '' ? [] : path.split('/');
  const steps = names.map((name, n) => ({ id: names.slice(0, n + 1).join('/'), name, href }));
  const [cut, ...last] = steps.slice(-3);
  const shown = cut && steps.length > 3 ? [{ ...cut, name: '…' }, ...last] : steps;
  return [{ id: '', name: t.contents, href }, ...shown];
}
