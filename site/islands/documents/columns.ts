import type { ItemView } from '#server/documents/contract.ts';
import { placeOf } from '../../lib/search.ts';
import type { Layout } from '../items/columns.ts';
import { MANY_FOLDERS, MODIFIED, SIZE } from '../items/columns.ts';

const folderOf = ({ path }: ItemView): string => path || 'My Drive';

/** Files of many folders, sorted by what the server keeps in order. */
export const ALL_FILES: Layout = {
  ...MANY_FOLDERS,
  grid: 'columns files-columns',
  beside: () => [],
  columns: [
    {
      label: 'Client',
      className: 'files-client',
      text: (item) => item.client_name,
      title: (item) => item.client_name,
    },
    {
      label: 'Folder',
      className: 'files-folder',
      text: folderOf,
      title: (item) => `Show in ${folderOf(item)}`,
      href: placeOf,
    },
    MODIFIED,
    SIZE,
  ],
};
