import { useEffect, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/drive.ts';
import { collectChosen, collectDrop } from '../uploads/collect.ts';
import { upload } from '../uploads/uploads.ts';
import type { DropTarget, Dragged } from './dropTarget.ts';
import { dropTargetAt, isSameTarget } from './dropTarget.ts';
import { useDriveContext } from './DriveContext.ts';
import { may } from '../../lib/permissions.ts';
import { isInDialog, isInField } from '../../lib/overlay.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';

const NONE: readonly ItemView[] = [];
const ITEMS = 'application/x-drive-items';
/** Milliseconds of hovering after which a spring-loaded folder opens. */
const SPRING_MS = 1000;
/** The pointer must move this far before the next folder can spring open, as one may appear under a resting pointer. */
const REST_PX = 4;

const elementOf = ({ target }: Event): Element | null => (target instanceof Element ? target : null);

/** Drag and drop: files dropped or pasted from outside, and items dragged onto folders and breadcrumbs. */
export function useDrop() {
  const drive = useDriveContext();
  const { place, rows, folder, actions, setAlert } = drive;
  const [target, setTarget] = useState<DropTarget | null>(null);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  /** Number of folders that sprang open during the drag. */
  const openedFolders = useRef(0);
  const spring = useSpring((folderId) => {
    openedFolders.current += 1;
    drive.go({ folderId, client: place.client });
  });

  /** Ends the drag. A cancelled drag of items returns to the folder where it started. */
  const endDrag = ({ cancelled }: { cancelled: boolean }) => {
    spring.cancel();
    if (cancelled && dragged && openedFolders.current > 0) history.go(-openedFolders.current);
    openedFolders.current = 0;
    setTarget(null);
    setDragged(null);
  };

  /** The drop target of an event; undefined if this hook does not handle the drag. */
  function targetOf(event: DragEvent): DropTarget | null | undefined {
    const element = elementOf(event);
    const files = event.dataTransfer?.types.includes('Files') ?? false;
    if (isInDialog(element) || (!files && !dragged)) return undefined;
    if (!may('documents.write')) return null;
    const crumb = element?.closest<HTMLElement>('[data-crumb]');
    const row = element?.closest<HTMLElement>('[data-id]');
    const hovered = {
      row: row ? rows.byId.get(Number(row.dataset['id'])) : undefined,
      crumb: crumb ? { id: Number(crumb.dataset['crumb']), name: crumb.textContent ?? '' } : undefined,
    };
    return dropTargetAt(hovered, files ? null : dragged, { place, name: folder.name });
  }

  useDocumentEvent('dragstart', (event) => {
    const row = elementOf(event)?.closest<HTMLElement>('[data-id]');
    const item = row && rows.byId.get(Number(row.dataset['id']));
    if (!item || !event.dataTransfer || event.defaultPrevented) return;
    if (!may('documents.write')) return event.preventDefault();
    const draggedItems = drive.selection.selected.has(item.id) ? drive.chosen : [item];
    if (draggedItems.length === 1) drive.send({ type: 'only', id: item.id });
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData(ITEMS, draggedItems.map(({ id }) => id).join(','));
    const chip = document.getElementById('drag-chip');
    if (chip) {
      chip.textContent = draggedItems.length === 1 ? item.name : t.itemCount(draggedItems.length);
      event.dataTransfer.setDragImage(chip, -12, -12);
    }
    setDragged({ items: draggedItems, from: place });
  });

  useDocumentEvent('dragover', (event) => {
    const next = targetOf(event);
    if (next === undefined) return;
    event.preventDefault();
    if (event.dataTransfer)
      event.dataTransfer.dropEffect = !next ? 'none' : next.kind === 'files' ? 'copy' : 'move';
    if (!isSameTarget(next, target)) setTarget(next);
    if (next && next.folderId !== place.folderId && (next.rowId !== null || next.isCrumb))
      spring.hover(next.folderId, event);
    else spring.cancel();
  });

  useDocumentEvent('drop', (event) => {
    const next = targetOf(event);
    if (next === undefined) return;
    event.preventDefault();
    endDrag({ cancelled: !next });
    if (!next || !event.dataTransfer) return;
    if (next.kind === 'items') {
      void actions.move(dragged?.items ?? [], { id: next.folderId, name: next.name });
      return;
    }
    const destination = { parentId: next.folderId, clientId: place.client?.id ?? null };
    // Read synchronously: the browser clears the list when the event handler returns.
    collectDrop(event.dataTransfer).then(
      (collected) => setAlert(upload(collected, destination)),
      () => setAlert(t.dropUnreadable),
    );
  });

  useDocumentEvent('dragleave', (event) => {
    if (event.relatedTarget !== null) return;
    spring.cancel();
    setTarget(null);
  });
  useDocumentEvent('dragend', () => endDrag({ cancelled: true }));
  // `pointermove` does not fire during a drag; browsers fire no `dragend` if the dragged row was removed.
  useDocumentEvent('pointermove', () => dragged && endDrag({ cancelled: true }));

  useDocumentEvent('paste', (event) => {
    const files = event.clipboardData?.files;
    if (!files?.length || isInField(elementOf(event)) || isInDialog(elementOf(event))) return;
    event.preventDefault();
    setAlert(upload(collectChosen(files), { parentId: place.folderId, clientId: place.client?.id ?? null }));
  });

  return { target, dragged: dragged?.items ?? NONE };
}

/** Spring-loaded folders: opens a folder that is hovered for a while during a drag. */
function useSpring(open: (folderId: number | null) => void) {
  const pending = useRef<{ folderId: number | null; timer: ReturnType<typeof setTimeout> } | null>(null);
  const openedAt = useRef({ clientX: -1, clientY: -1 });
  const cancel = () => {
    if (pending.current) clearTimeout(pending.current.timer);
    pending.current = null;
  };
  useEffect(() => () => clearTimeout(pending.current?.timer), []);
  return {
    cancel,
    hover(folderId: number | null, { clientX, clientY }: MouseEvent) {
      const moved = Math.hypot(clientX - openedAt.current.clientX, clientY - openedAt.current.clientY);
      if (pending.current?.folderId === folderId || moved < REST_PX) return;
      cancel();
      const timer = setTimeout(() => {
        pending.current = null;
        openedAt.current = { clientX, clientY };
        open(folderId);
      }, SPRING_MS);
      pending.current = { folderId, timer };
    },
  };
}
