import { useEffect, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { collectChosen, collectDrop } from '../uploads/collect.ts';
import { upload } from '../uploads/uploads.ts';
import { useDriveContext } from './DriveContext.ts';

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

const isInField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable], [role="dialog"]') !== null;

/** Files dropped or pasted from outside, and items dragged onto folders and breadcrumbs. */
export function useDrop() {
  const drive = useDriveContext();
  const [aim, setAim] = useState<Aim | null>(null);
  const [dragged, setDragged] = useState<readonly ItemView[]>([]);
  const now = useRef({ drive, dragged, aim });
  now.current = { drive, dragged, aim };
  const spring = useRef<{ key: string; timer: ReturnType<typeof setTimeout> } | null>(null);

  useEffect(() => {
    const rest = () => {
      if (spring.current) clearTimeout(spring.current.timer);
      spring.current = null;
    };
    const end = () => {
      rest();
      setAim(null);
      setDragged([]);
    };

    function target(event: DragEvent): Aim | null {
      const { drive, dragged } = now.current;
      const { place, listing } = drive;
      const element = event.target instanceof Element ? event.target : null;
      const files = event.dataTransfer?.types.includes('Files') ?? false;
      if (element?.closest('[role="dialog"]') || (!files && dragged.length === 0)) return null;
      const what = files ? 'files' : 'items';
      const crumb = element?.closest<HTMLElement>('[data-crumb]');
      const row = element?.closest<HTMLElement>('[data-id]');
      const item = row ? listing.byId.get(Number(row.dataset['id'])) : undefined;
      if (crumb) {
        const id = Number(crumb.dataset['crumb']) || null;
        return { what, folderId: id, name: crumb.textContent ?? '', rowId: null, crumb: true };
      }
      if (item?.type === 'folder' && !dragged.includes(item)) {
        return { what, folderId: item.id, name: item.name, rowId: item.id, crumb: false };
      }
      const name = listing.breadcrumbs.at(-1)?.name ?? 'My Drive';
      return { what, folderId: place.folderId, name, rowId: null, crumb: false };
    }

    /** Letting go here would change something. */
    const useful = (aimed: Aim) =>
      aimed.what === 'files' || now.current.dragged.some((item) => item.parent_id !== aimed.folderId);

    function over(event: DragEvent) {
      const aimed = target(event);
      if (!aimed) return;
      event.preventDefault();
      const good = useful(aimed);
      if (event.dataTransfer)
        event.dataTransfer.dropEffect = !good ? 'none' : aimed.what === 'files' ? 'copy' : 'move';
      const before = now.current.aim;
      const shown = good ? aimed : null;
      const same =
        before?.folderId === shown?.folderId &&
        before?.rowId === shown?.rowId &&
        before?.crumb === shown?.crumb;
      if (!same || (before === null) !== (shown === null)) setAim(shown);
      springLoad(aimed);
    }

    function springLoad(aimed: Aim) {
      const { drive } = now.current;
      const opens = aimed.folderId !== drive.place.folderId && (aimed.rowId !== null || aimed.crumb);
      const key = `${aimed.folderId}`;
      if (opens && spring.current?.key === key) return;
      rest();
      if (!opens) return;
      const open = () => drive.go({ folderId: aimed.folderId, client: drive.place.client });
      spring.current = { key, timer: setTimeout(open, SPRING) };
    }

    async function drop(event: DragEvent) {
      const aimed = target(event);
      if (!aimed) return;
      event.preventDefault();
      const { drive, dragged } = now.current;
      // Read at once: the list is gone when this event is over.
      const found = aimed.what === 'files' && event.dataTransfer ? collectDrop(event.dataTransfer) : null;
      const good = useful(aimed);
      end();
      if (!good) return;
      if (!found) return void drive.actions.move(dragged, { id: aimed.folderId, name: aimed.name });
      const clientId = drive.place.client?.id ?? null;
      try {
        drive.setAlert(upload(await found, { parentId: aimed.folderId, clientId }));
      } catch {
        drive.setAlert('The dropped files could not be read. Please try again.');
      }
    }

    const leave = (event: DragEvent) => event.relatedTarget === null && (rest(), setAim(null));

    function paste(event: ClipboardEvent) {
      const files = event.clipboardData?.files;
      if (!files?.length || isInField(event.target)) return;
      event.preventDefault();
      const { drive } = now.current;
      const { folderId, client } = drive.place;
      drive.setAlert(upload(collectChosen(files), { parentId: folderId, clientId: client?.id ?? null }));
    }

    function begin(event: DragEvent) {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-id]') : null;
      const { drive } = now.current;
      const item = row && drive.listing.byId.get(Number(row.dataset['id']));
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
    }

    // A pointer that moves freely drags nothing: the end of a drag is not told when its row has gone.
    const moved = () => now.current.dragged.length > 0 && end();
    const listeners = {
      dragstart: begin,
      dragover: over,
      dragleave: leave,
      drop,
      dragend: end,
      paste,
      pointermove: moved,
    };
    for (const [name, listener] of Object.entries(listeners))
      document.addEventListener(name, listener as EventListener);
    return () => {
      rest();
      for (const [name, listener] of Object.entries(listeners))
        document.removeEventListener(name, listener as EventListener);
    };
  }, []);

  return { aim, dragged };
}
