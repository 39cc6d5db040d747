import type { Breadcrumb, ItemView } from '#server/documents/contract.ts';
import type { DriveLocation } from '../../lib/driveLocation.ts';
import { isSameListing } from '../../lib/driveLocation.ts';

/** The target of a drop at the current pointer position. */
export interface DropTarget {
  /** `files` from outside the browser are uploaded, `items` are moved. */
  kind: 'files' | 'items';
  folderId: number | null;
  name: string;
  /** The target's row; null if the target is a breadcrumb or the open folder. */
  rowId: number | null;
  /** Whether the target is a breadcrumb. */
  isCrumb: boolean;
}

/** The dragged items, and the location where the drag started. */
export interface Dragged {
  items: readonly ItemView[];
  from: DriveLocation;
}

/** The row or breadcrumb under the pointer. */
interface Hovered {
  row: ItemView | undefined;
  crumb: Breadcrumb | undefined;
}

const pathOf = ({ path, name }: ItemView): string => (path ? `${path} / ${name}` : name);

/** Whether one search result contains another, by their paths; names contain no slash. */
const isWithin = (folder: ItemView, { id, type, ...rest }: ItemView): boolean =>
  folder.id === id ||
  (type === 'folder' &&
    folder.path !== null &&
    `${folder.path} / `.startsWith(`${pathOf({ id, type, ...rest })} / `));

/**
 * The drop target; null if a drop would change nothing, or is not allowed. `dragged` is null for files from outside, which
 * can be dropped anywhere.
 */
export function dropTargetAt(
  { row, crumb }: Hovered,
  dragged: Dragged | null,
  { place, name }: { place: DriveLocation; name: string },
): DropTarget | null {
  const kind = dragged ? 'items' : 'files';
  const folder = row?.type === 'folder' ? row : undefined;
  if (dragged && folder && dragged.items.some((item) => isWithin(folder, item))) return null;
  const over = crumb ?? folder;
  const target: DropTarget = {
    kind,
    folderId: over ? over.id || null : place.folderId,
    name: over?.name ?? name,
    rowId: crumb ? null : (folder?.id ?? null),
    isCrumb: crumb !== undefined,
  };
  if (!dragged) return target;
  // A drop beside the folders of the drag's own listing moves nothing.
  if (!over && isSameListing(place, dragged.from)) return null;
  return dragged.items.some((item) => item.parent_id !== target.folderId) ? target : null;
}

export const isSameTarget = (a: DropTarget | null, b: DropTarget | null): boolean =>
  a?.folderId === b?.folderId &&
  a?.rowId === b?.rowId &&
  a?.isCrumb === b?.isCrumb &&
  (a === null) === (b === null);
