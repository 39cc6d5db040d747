import type { ItemView } from '#server/documents/contract.ts';
import { createElement } from 'react';
import type { TextHit } from '#server/reading/contract.ts';
import * as t from '#messages/drive.ts';
import { textMatchOf } from '../../lib/reading.ts';
import { FoundLine } from '../reading/FoundLine.tsx';
import type { DriveLocation } from '../../lib/driveLocation.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { placeOf } from '../../lib/placeOf.ts';
import { highlightHref } from '../../lib/search.ts';
import type { Column, Layout } from '../items/columns.ts';
import { MODIFIED, NAME, SIZE, dateAndSize } from '../items/columns.ts';

const OWNER: Column = {
  label: t.owner,
  by: 'owner',
  className: 'list-owner',
  text: (item) => item.owner_name,
  title: (item) => item.owner_name,
};
/** Unlike `whose` it names every client: in a column its absence looks like an item without a client. */
const CLIENT: Column = {
  label: t.client,
  className: 'list-client text-text!',
  text: ({ client_name }) => client_name,
  cutsMiddle: true,
};
const PLACE: Column = { label: t.location, className: 'list-place', text: placeOf, href: highlightHref };
const COLUMNS: readonly Column[] = [OWNER, MODIFIED, SIZE];

/** The columns by which a folder's items can be sorted. */
export const SORTABLE = [NAME, ...COLUMNS].flatMap(({ by, label }) => (by ? [{ by, label }] : []));

/** The location of a file's preview, at the text match if the file was found by one. */
export function previewLocation(
  { textMatch: _, ...location }: DriveLocation,
  previewId: number,
  lines: ReadonlyMap<number, TextHit>,
): DriveLocation {
  const hit = lines.get(previewId);
  return { ...location, previewId, highlightId: null, ...(hit && { textMatch: textMatchOf(hit) }) };
}

/** The layout of a location's items. Wide screens have a client column if any item needs it; a search names the places. */
export function folderLayout(
  items: readonly ItemView[],
  location: DriveLocation,
  crumbs: readonly string[],
  lines: ReadonlyMap<number, TextHit>,
): Layout {
  const crumbNames = new Set<string | null>(crumbs);
  // Beside the name the client is omitted if the filter, the breadcrumbs or the item's own name shows it: most clients have a folder.
  const whose = ({ name, client_name }: ItemView) =>
    location.client !== null || name === client_name || crumbNames.has(client_name) ? null : client_name;
  const hasClients =
    location.client === null &&
    items.some((item) => item.client_name !== null && !crumbNames.has(item.client_name));
  const search: Partial<Layout> = {
    grid: 'columns list-columns with-place',
    whose: () => null,
    beside: () => [],
    columns: [PLACE, ...COLUMNS],
    place: placeOf,
  };
  return {
    grid: hasClients ? 'columns list-columns with-client' : 'columns list-columns',
    nameHref: (item) =>
      item.type === 'folder'
        ? driveHref({ folderId: item.id, client: location.client })
        : driveHref(previewLocation(location, item.id, lines)),
    line(item) {
      const hit = lines.get(item.id);
      return hit && createElement(FoundLine, { hit });
    },
    whose,
    beside: ({ path }, client) => [client, path ? t.inFolder(path) : null],
    columns: hasClients ? [CLIENT, ...COLUMNS] : COLUMNS,
    facts: dateAndSize,
    draggable: true,
    ...(location.search && search),
  };
}
