const TARGETS = { client: 'input[role=combobox]', file: '[data-files]:not([disabled])' } as const;
type Target = keyof typeof TARGETS;

/** Moves the focus to the same control in the next row that has it, since the current row is about to disappear. */
export function focusNextRow(from: number, target: Target): void {
  const rows = [...document.querySelectorAll<HTMLElement>('li[data-id]')];
  const index = rows.findIndex(({ dataset }) => dataset.id === String(from));
  const next = rows.slice(index + 1).map((row) => row.querySelector<HTMLElement>(TARGETS[target]));
  (next.find((control) => control?.checkVisibility()) ?? rows[index]?.querySelector('a'))?.focus();
}

/** Focuses the first document that can be organised, or else the first run that can be undone. */
function focusFirst(): void {
  const controls = document.querySelectorAll<HTMLElement>(
    `li[data-id] ${TARGETS.file}, [aria-labelledby=filed-before] button`,
  );
  [...controls].find((control) => control.checkVisibility())?.focus();
}

/** Focuses the screen without scrolling: whoever uses a mouse looks at what is there now. */
export const focusScreen = (): void =>
  document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });

/** Half a second, by which the list is drawn with new data. */
const MAX_FRAMES = 30;

/** The number of the present `keepFocus`: a later one, or the next action, ends it. */
let keeping = 0;

/** Ends `keepFocus`, which would move the focus before an action that begins now has loaded its lists. */
export const leaveFocus = (): void => void (keeping += 1);

/** Keeps the focus on the screen while it is drawn with new data, which may remove the focused control more than once. */
export function keepFocus(
  focus: () => void = focusFirst,
  frames = MAX_FRAMES,
  turn: number = (keeping += 1),
): void {
  requestAnimationFrame(() => {
    if (turn !== keeping) return;
    if (document.activeElement === document.body) focus();
    if (frames > 0) keepFocus(focus, frames - 1, turn);
    else if (document.activeElement === document.body) focusScreen();
  });
}

/** Whether the keyboard is in use: only then the focus has to move on to a control, which scrolls. */
export const isByKey = (): boolean => document.activeElement?.matches(':focus-visible') ?? false;
