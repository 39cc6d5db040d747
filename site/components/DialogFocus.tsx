import type { RefObject } from 'react';
import { useEffect } from 'react';
import { restoreFocus } from '../lib/keptFocus.ts';
import { focusQuietly } from '../lib/quietFocus.ts';
import { hasTouch } from '../lib/touch.ts';

const FIELDS = 'input:not([type=hidden]), textarea, select, button[aria-haspopup=listbox]';
const CONTROLS = `${FIELDS}, button, a[href], [tabindex]`;
const TYPED_INTO = 'textarea, input:not([type=checkbox], [type=radio], [type=file])';

const isUsable = (element: HTMLElement): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  element.tabIndex >= 0 &&
  element.offsetParent !== null &&
  // On touch screens the keyboard would cover the dialog.
  !(hasTouch() && element.matches(TYPED_INTO));

const usableIn = (area: Element, selector: string): HTMLElement[] =>
  [...area.querySelectorAll<HTMLElement>(selector)].filter(isUsable);

/** The first field; of several options the chosen one. */
function firstField(area: Element): HTMLElement | undefined {
  const fields = usableIn(area, FIELDS).filter((field) => !field.matches('[readonly]'));
  const [first] = fields;
  if (!first?.matches('[type=radio]')) return first;
  return fields.find((field) => field.matches('[type=radio]:checked')) ?? first;
}

/** Where the focused control is among the others, noted while it is still there. */
interface Place {
  control: HTMLElement;
  controls: readonly HTMLElement[];
  rows: readonly Element[];
  row: number;
  /** Its index among the controls of its row. */
  inRow: number;
}

function placeOf(area: Element, control: HTMLElement): Place {
  const own = control.closest('li, tr');
  const rows = own?.parentElement ? [...own.parentElement.children] : [];
  return {
    control,
    controls: usableIn(area, CONTROLS),
    rows,
    row: own ? rows.indexOf(own) : -1,
    inRow: own ? usableIn(own, CONTROLS).indexOf(control) : -1,
  };
}

/** What takes the focus of a control that is gone: the same control of the nearest row, or else the control before it. */
function successor(area: Element, { control, controls, rows, row, inRow }: Place): HTMLElement | undefined {
  if (row >= 0)
    for (const near of [...rows.slice(row), ...rows.slice(0, row).toReversed()]) {
      const inside = near.isConnected ? usableIn(near, CONTROLS) : [];
      const found = inside[inRow] ?? inside.at(-1);
      if (found) return found;
    }
  const at = controls.indexOf(control);
  const others = [...controls.slice(0, Math.max(0, at)).toReversed(), ...controls.slice(at + 1)];
  return others.find(isUsable) ?? firstField(area) ?? usableIn(area, CONTROLS)[0];
}

/**
 * The focus within a dialog's content: first on the first field, and when the focused control disappears, on its
 * neighbour. Rendered after the content, so that a field with `autoFocus` comes first.
 */
export function DialogFocus({ content }: { content: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const area = content.current;
    if (!area || hasTouch() || area.closest('[role]')?.contains(document.activeElement)) return;
    const first = firstField(area);
    if (!first) return;
    focusQuietly(first);
    // As Tab does, so that typing replaces what was filled in.
    if (first instanceof HTMLInputElement) first.select();
  }, [content]);

  useEffect(() => {
    const area = content.current;
    if (!area) return undefined;
    let place: Place | null = null;
    const note = () => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && area.contains(activeElement))
        place = placeOf(area, activeElement);
    };
    const onChange = () => {
      if (!place) return;
      if (place.control.isConnected && !place.control.matches(':disabled')) return note();
      const lost = place;
      place = null;
      const find = () => successor(area, lost);
      const { activeElement } = document;
      // At once, before the focus is drawn back to the first control, which is Close.
      if (activeElement === document.body || activeElement === lost.control) {
        const next = find();
        if (next) focusQuietly(next);
      } else restoreFocus(find);
    };
    const observer = new MutationObserver(onChange);
    observer.observe(area, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    area.addEventListener('focusin', note);
    note();
    return () => {
      observer.disconnect();
      area.removeEventListener('focusin', note);
    };
  }, [content]);
  return null;
}
