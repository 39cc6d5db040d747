import type { ItemView } from '#server/documents/contract.ts';
import { createElement } from 'react';
import type { TextHit } from '#server/reading/contract.ts';
import * as t from '#messages/drive.ts';
import { textMatchOf } from '../../lib/reading.ts';
import { FoundLine } from '../reading/FoundLine.tsx';
import type { DriveLocation } from '../../lib/driveLocation.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import type { Column, Layout } from '../items/columns.ts';
import { MODIFIED, NAME, SIZE, sizeText } from '../items/columns.ts';

const OWNER: Column = {
  label: t.owner,
  by: 'owner',
  className: 'list-owner',
  text: (item) => item.owner_name,
  title: (item) => item.owner_name,
};
const CLIENT: Column = {
  label: t.client,
  className: 'list-client text-text!',
  text: (_item, whose) => whose,
  title: (_item, whose) => whose,
};
const COLUMNS: readonly Column[] = [OWNER, MODIFIED, SIZE];

/** What a folder's items can be sorted by. */
export const SORTABLE = [NAME, ...COLUMNS].flatMap(({ by, label }) => (by ? [{ by, label }] : []));

/** The preview of a file over a place; of one that was found by its words, where they stand. */
export function previewOf(
  { textMatch: _, ...place }: DriveLocation,
  previewId: number,
  lines: ReadonlyMap<number, TextHit>,
): DriveLocation {
  const hit = lines.get(previewId);
  return { ...place, previewId, highlightId: null, ...(hit && { textMatch: textMatchOf(hit) }) };
}

/** How the items of a place are laid out. Where there are clients to name, wide screens have a column for them. */
export function folderLayout(
  items: readonly ItemView[],
  place: DriveLocation,
  crumbs: readonly string[],
  lines: ReadonlyMap<number, TextHit>,
): Layout {
  const said = new Set<string | null>(crumbs);
  // The filter, the way to here or its own name says whose it is: most clients have a folder of theirs.
  const whose = ({ name, client_name }: ItemView) =>
    place.client !== null || name === client_name || said.has(client_name) ? null : client_name;
  const named = items.some((item) => whose(item) !== null);
  return {
    grid: named ? 'columns list-columns with-client' : 'columns list-columns',
    nameHref: (item) =>
      item.type === 'folder'
        ? driveHref({ folderId: item.id, client: place.client })
        : driveHref(previewOf(place, item.id, lines)),
    line(item) {
      const hit = lines.get(item.id);
      return hit && createElement(FoundLine, { hit });
    },
    whose,
    beside: ({ path }, client) => [client, path ? t.inFolder(path) : null],
    columns: named ? [CLIENT, ...COLUMNS] : COLUMNS,
    size: sizeText,
    draggable: true,
  };
}
