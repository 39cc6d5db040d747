import { useEffect, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/drive.ts';
import { collectChosen, collectDrop } from '../uploads/collect.ts';
import { upload } from '../uploads/uploads.ts';
import type { Aim, Dragged } from './dropTarget.ts';
import { aimAt, sameAim } from './dropTarget.ts';
import { useDriveContext } from './DriveContext.ts';
import { may } from '../../lib/permissions.ts';
import { isInDialog, isInField } from '../../lib/overlay.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';

const NONE: readonly ItemView[] = [];
const ITEMS = 'application/x-drive-items';
/** Milliseconds over a folder after which it opens. */
const SPRING = 1000;
/** A pointer that moved less is resting, and opens nothing in a folder that opened under it. */
const REST_PX = 4;

const elementOf = ({ target }: Event): Element | null => (target instanceof Element ? target : null);

/** Files dropped or pasted from outside, and items dragged onto folders and breadcrumbs. */
export function useDrop() {
  const drive = useDriveContext();
  const { place, rows, folder, actions, setAlert } = drive;
  const [aim, setAim] = useState<Aim | null>(null);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  /** Folders opened on the way. */
  const opened = useRef(0);
  const spring = useSpring((folderId) => {
    opened.current += 1;
    drive.go({ folderId, client: place.client });
  });

  /** A drag of items that is given up leads back to where it began. */
  const end = ({ back }: { back: boolean }) => {
    spring.rest();
    if (back && dragged && opened.current > 0) history.go(-opened.current);
    opened.current = 0;
    setAim(null);
    setDragged(null);
  };

  /** undefined where the drag is not ours to judge. */
  function aimOf(event: DragEvent): Aim | null | undefined {
    const element = elementOf(event);
    const files = event.dataTransfer?.types.includes('Files') ?? false;
    if (isInDialog(element) || (!files && !dragged)) return undefined;
    if (!may('documents.write')) return null;
    const crumb = element?.closest<HTMLElement>('[data-crumb]');
    const row = element?.closest<HTMLElement>('[data-id]');
    const under = {
      row: row ? rows.byId.get(Number(row.dataset['id'])) : undefined,
      crumb: crumb ? { id: Number(crumb.dataset['crumb']), name: crumb.textContent ?? '' } : undefined,
    };
    return aimAt(under, files ? null : dragged, { place, name: folder.name });
  }

  useDocumentEvent('dragstart', (event) => {
    const row = elementOf(event)?.closest<HTMLElement>('[data-id]');
    const item = row && rows.byId.get(Number(row.dataset['id']));
    if (!item || !event.dataTransfer || event.defaultPrevented) return;
    if (!may('documents.write')) return event.preventDefault();
    const together = drive.selection.selected.has(item.id) ? drive.chosen : [item];
    if (together.length === 1) drive.send({ type: 'only', id: item.id });
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData(ITEMS, together.map(({ id }) => id).join(','));
    const chip = document.getElementById('drag-chip');
    if (chip) {
      chip.textContent = together.length === 1 ? item.name : t.itemCount(together.length);
      event.dataTransfer.setDragImage(chip, -12, -12);
    }
    setDragged({ items: together, from: place });
  });

  useDocumentEvent('dragover', (event) => {
    const aimed = aimOf(event);
    if (aimed === undefined) return;
    event.preventDefault();
    if (event.dataTransfer)
      event.dataTransfer.dropEffect = !aimed ? 'none' : aimed.what === 'files' ? 'copy' : 'move';
    if (!sameAim(aimed, aim)) setAim(aimed);
    if (aimed && aimed.folderId !== place.folderId && (aimed.rowId !== null || aimed.crumb))
      spring.over(aimed.folderId, event);
    else spring.rest();
  });

  useDocumentEvent('drop', (event) => {
    const aimed = aimOf(event);
    if (aimed === undefined) return;
    event.preventDefault();
    end({ back: !aimed });
    if (!aimed || !event.dataTransfer) return;
    if (aimed.what === 'items') {
      void actions.move(dragged?.items ?? [], { id: aimed.folderId, name: aimed.name });
      return;
    }
    const target = { parentId: aimed.folderId, clientId: place.client?.id ?? null };
    // Read at once: the list is gone when this event is over.
    collectDrop(event.dataTransfer).then(
      (collected) => setAlert(upload(collected, target)),
      () => setAlert(t.dropUnreadable),
    );
  });

  useDocumentEvent('dragleave', (event) => {
    if (event.relatedTarget !== null) return;
    spring.rest();
    setAim(null);
  });
  useDocumentEvent('dragend', () => end({ back: true }));
  // A pointer that moves freely drags nothing: the end of a drag is not told when its row has gone.
  useDocumentEvent('pointermove', () => dragged && end({ back: true }));

  useDocumentEvent('paste', (event) => {
    const files = event.clipboardData?.files;
    if (!files?.length || isInField(elementOf(event)) || isInDialog(elementOf(event))) return;
    event.preventDefault();
    setAlert(upload(collectChosen(files), { parentId: place.folderId, clientId: place.client?.id ?? null }));
  });

  return { aim, dragged: dragged?.items ?? NONE };
}

/** Opens a folder that is hovered over for a while in the middle of a drag. */
function useSpring(open: (folderId: number | null) => void) {
  const waiting = useRef<{ folderId: number | null; timer: ReturnType<typeof setTimeout> } | null>(null);
  const rested = useRef({ clientX: -1, clientY: -1 });
  const rest = () => {
    if (waiting.current) clearTimeout(waiting.current.timer);
    waiting.current = null;
  };
  useEffect(() => () => clearTimeout(waiting.current?.timer), []);
  return {
    rest,
    over(folderId: number | null, { clientX, clientY }: MouseEvent) {
      const moved = Math.hypot(clientX - rested.current.clientX, clientY - rested.current.clientY);
      if (waiting.current?.folderId === folderId || moved < REST_PX) return;
      rest();
      const timer = setTimeout(() => {
        waiting.current = null;
        rested.current = { clientX, clientY };
        open(folderId);
      }, SPRING);
      waiting.current = { folderId, timer };
    },
  };
}
