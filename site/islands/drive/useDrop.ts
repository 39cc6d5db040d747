import { useEffect, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { collectChosen, collectDrop } from '../uploads/collect.ts';
import { upload } from '../uploads/uploads.ts';
import { useDriveContext } from './DriveContext.ts';
import { useDocumentEvent } from './useDocumentEvent.ts';

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

const ITEMS = 'application/x-drive-items';
/** Milliseconds over a folder after which it opens. */
const SPRING = 1000;

const elementOf = ({ target }: Event): Element | null => (target instanceof Element ? target : null);
const isInField = (event: Event): boolean =>
  elementOf(event)?.closest('input, textarea, [contenteditable], [role="dialog"]') != null;
const sameAim = (a: Aim | null, b: Aim | null): boolean =>
  a?.folderId === b?.folderId &&
  a?.rowId === b?.rowId &&
  a?.crumb === b?.crumb &&
  (a === null) === (b === null);

/** Files dropped or pasted from outside, and items dragged onto folders and breadcrumbs. */
export function useDrop() {
  const drive = useDriveContext();
  const { place, listing, actions, setAlert } = drive;
  const [aim, setAim] = useState<Aim | null>(null);
  const [dragged, setDragged] = useState<readonly ItemView[]>([]);
  const spring = useSpring((folderId) => drive.go({ folderId, client: place.client }));

  const end = () => {
    spring.rest();
    setAim(null);
    setDragged([]);
  };

  function aimOf(event: DragEvent): Aim | null {
    const element = elementOf(event);
    const files = event.dataTransfer?.types.includes('Files') ?? false;
    if (element?.closest('[role="dialog"]') || (!files && dragged.length === 0)) return null;
    const what = files ? 'files' : 'items';
    const crumb = element?.closest<HTMLElement>('[data-crumb]');
    if (crumb) {
      const folderId = Number(crumb.dataset['crumb']) || null;
      return { what, folderId, name: crumb.textContent ?? '', rowId: null, crumb: true };
    }
    const row = element?.closest<HTMLElement>('[data-id]');
    const item = row ? listing.byId.get(Number(row.dataset['id'])) : undefined;
    if (item?.type === 'folder' && !dragged.includes(item)) {
      return { what, folderId: item.id, name: item.name, rowId: item.id, crumb: false };
    }
    const name = listing.breadcrumbs.at(-1)?.name ?? 'My Drive';
    return { what, folderId: place.folderId, name, rowId: null, crumb: false };
  }
  /** Letting go there would change something. */
  const isUseful = ({ what, folderId }: Aim) =>
    what === 'files' || dragged.some((item) => item.parent_id !== folderId);

  useDocumentEvent('dragstart', (event) => {
    const row = elementOf(event)?.closest<HTMLElement>('[data-id]');
    const item = row && listing.byId.get(Number(row.dataset['id']));
    if (!item || !event.dataTransfer) return;
    const together = drive.selection.selected.has(item.id) ? drive.chosen : [item];
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData(ITEMS, together.map(({ id }) => id).join(','));
    const chip = document.getElementById('drag-chip');
    if (chip) {
      chip.textContent = together.length === 1 ? item.name : `${together.length} items`;
      event.dataTransfer.setDragImage(chip, -12, -12);
    }
    setDragged(together);
  });

  useDocumentEvent('dragover', (event) => {
    const aimed = aimOf(event);
    if (!aimed) return;
    event.preventDefault();
    const useful = isUseful(aimed);
    if (event.dataTransfer)
      event.dataTransfer.dropEffect = !useful ? 'none' : aimed.what === 'files' ? 'copy' : 'move';
    const shown = useful ? aimed : null;
    if (!sameAim(shown, aim)) setAim(shown);
    const opens = aimed.folderId !== place.folderId && (aimed.rowId !== null || aimed.crumb);
    if (opens) spring.over(aimed.folderId);
    else spring.rest();
  });

  useDocumentEvent('drop', (event) => {
    const aimed = aimOf(event);
    if (!aimed) return;
    event.preventDefault();
    // Read at once: the list is gone when this event is over.
    const found = aimed.what === 'files' && event.dataTransfer ? collectDrop(event.dataTransfer) : null;
    const useful = isUseful(aimed);
    end();
    if (!useful) return;
    if (!found) {
      void actions.move(dragged, { id: aimed.folderId, name: aimed.name });
      return;
    }
    const target = { parentId: aimed.folderId, clientId: place.client?.id ?? null };
    found.then(
      (collected) => setAlert(upload(collected, target)),
      () => setAlert('The dropped files could not be read. Please try again.'),
    );
  });

  useDocumentEvent('dragleave', (event) => {
    if (event.relatedTarget !== null) return;
    spring.rest();
    setAim(null);
  });
  useDocumentEvent('dragend', end);
  // A pointer that moves freely drags nothing: the end of a drag is not told when its row has gone.
  useDocumentEvent('pointermove', () => dragged.length > 0 && end());

  useDocumentEvent('paste', (event) => {
    const files = event.clipboardData?.files;
    if (!files?.length || isInField(event)) return;
    event.preventDefault();
    setAlert(upload(collectChosen(files), { parentId: place.folderId, clientId: place.client?.id ?? null }));
  });

  return { aim, dragged };
}

/** Opens a folder that is hovered over for a while in the middle of a drag. */
function useSpring(open: (folderId: number | null) => void) {
  const waiting = useRef<{ folderId: number | null; timer: ReturnType<typeof setTimeout> } | null>(null);
  const rest = () => {
    if (waiting.current) clearTimeout(waiting.current.timer);
    waiting.current = null;
  };
  useEffect(() => () => clearTimeout(waiting.current?.timer), []);
  return {
    rest,
    over(folderId: number | null) {
      if (waiting.current?.folderId === folderId) return;
      rest();
      waiting.current = { folderId, timer: setTimeout(() => open(folderId), SPRING) };
    },
  };
}
