import type { ItemView } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/documents.ts';
import { highlightHref } from '../../lib/search.ts';
import type { Layout } from '../items/columns.ts';
import { MANY_FOLDERS, MODIFIED, SIZE } from '../items/columns.ts';

const folderOf = ({ path }: ItemView): string => path || common.myDrive;

/** The layout of a list of files of many folders, sortable by the columns that the server can sort by. */
export const ALL_FILES: Layout = {
  ...MANY_FOLDERS,
  grid: 'columns files-columns',
  beside: () => [],
  columns: [
    {
      label: common.client,
      className: 'files-client',
      text: (item) => item.client_name,
      title: (item) => item.client_name,
    },
    {
      label: t.folder,
      className: 'files-folder',
      text: folderOf,
      title: (item) => t.showIn(folderOf(item)),
      href: highlightHref,
    },
    MODIFIED,
    SIZE,
  ],
};
