import type { Breadcrumb, ItemView } from '#server/documents/contract.ts';
import type { DriveLocation } from '../../lib/driveLocation.ts';
import { isSameListing } from '../../lib/driveLocation.ts';

/** Where a drag would go if it were let go now. */
export interface Aim {
  what: 'files' | 'items';
  folderId: number | null;
  name: string;
  /** The listing's folder that is aimed at; null over a breadcrumb or over the open folder itself. */
  rowId: number | null;
  /** A breadcrumb is aimed at. */
  crumb: boolean;
}

/** Items on their way, and the listing they were taken from. */
export interface Dragged {
  items: readonly ItemView[];
  from: DriveLocation;
}

/** What the pointer is over. */
export interface Under {
  row: ItemView | undefined;
  crumb: Breadcrumb | undefined;
}

const pathOf = ({ path, name }: ItemView): string => (path ? `${path} / ${name}` : name);

/** Search results stand above and below each other; names hold no slash, so that a path says which. */
const isWithin = (folder: ItemView, { id, type, ...rest }: ItemView): boolean =>
  folder.id === id ||
  (type === 'folder' &&
    folder.path !== null &&
    `${folder.path} / `.startsWith(`${pathOf({ id, type, ...rest })} / `));

/**
 * Where letting go would lead; null where it would change nothing, or must not. `dragged` is null for files from
 * outside, which go anywhere.
 */
export function aimAt(
  { row, crumb }: Under,
  dragged: Dragged | null,
  { place, name }: { place: DriveLocation; name: string },
): Aim | null {
  const what = dragged ? 'items' : 'files';
  const folder = row?.type === 'folder' ? row : undefined;
  if (dragged && folder && dragged.items.some((item) => isWithin(folder, item))) return null;
  const target = crumb ?? folder;
  const aim: Aim = {
    what,
    folderId: target ? target.id || null : place.folderId,
    name: target?.name ?? name,
    rowId: crumb ? null : (folder?.id ?? null),
    crumb: crumb !== undefined,
  };
  if (!dragged) return aim;
  // What is let go beside the folders of its own listing was not meant to go anywhere.
  if (!target && isSameListing(place, dragged.from)) return null;
  return dragged.items.some((item) => item.parent_id !== aim.folderId) ? aim : null;
}

export const sameAim = (a: Aim | null, b: Aim | null): boolean =>
  a?.folderId === b?.folderId &&
  a?.rowId === b?.rowId &&
  a?.crumb === b?.crumb &&
  (a === null) === (b === null);
