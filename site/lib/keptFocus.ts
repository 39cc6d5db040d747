import { useRef } from 'react';

/** The frames that a dialog takes to close, at most. */
const CLOSING_FRAMES = 30;

/** Focuses what `find` returns once no dialog is open, if the focused control has disappeared. */
export function restoreFocus(find: () => HTMLElement | null | undefined, framesLeft = CLOSING_FRAMES): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) {
      if (framesLeft > 0) restoreFocus(find, framesLeft - 1);
      return;
    }
    find()?.focus();
  });
}

const CONTROLS = 'button:not([disabled]), a[href], input:not([disabled])';
const controlsIn = (element: Element | undefined) => [
  ...(element?.querySelectorAll<HTMLElement>(CONTROLS) ?? []),
];

/**
 * Keeps the focus in an area in which rows disappear together with their pressed button: it moves to the same control of
 * the row that takes its place.
 */
export function useKeptFocus<Area extends HTMLElement = HTMLDivElement>() {
  const area = useRef<Area>(null);
  const place = useRef({ row: 0, control: 0 });
  const rowsIn = () => [...(area.current?.querySelectorAll('li') ?? [])];

  /** Remembers the focused control. To be called before a dialog takes the focus. */
  function remember(): void {
    const rows = rowsIn();
    const row = rows.findIndex((candidate) => candidate.contains(document.activeElement));
    const control = controlsIn(rows[row]).indexOf(document.activeElement as HTMLElement);
    place.current = { row: Math.max(0, row), control: Math.max(0, control) };
  }

  function find(): HTMLElement | null {
    const rows = rowsIn();
    const { row, control } = place.current;
    for (const near of [rows[row], rows[row - 1]]) {
      const controls = controlsIn(near);
      const found = controls[control] ?? controls.at(-1);
      if (found) return found;
    }
    if (!area.current) return document.querySelector<HTMLElement>('#content');
    // Of an empty list the area remains, perhaps with the button that adds a row.
    const last = controlsIn(area.current).at(-1);
    if (last) return last;
    area.current.tabIndex = -1;
    return area.current;
  }

  return { area, remember, restore: () => restoreFocus(find) };
}
export type KeptFocus = ReturnType<typeof useKeptFocus>;
