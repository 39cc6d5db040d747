import type { MissingFile } from './missing.ts';
import { INTERRUPTED } from './missing.ts';
import type { Texts } from './texts.ts';
import { failureText, fillTemplate } from './texts.ts';

/** Finds the row by its number, since `refresh` replaces the element. */
const linesOf = (row: string): Element | null => document.querySelector(`[data-row="${row}"] [data-sending]`);

function createCloseButton(item: HTMLElement, label: string, onClose?: () => void): HTMLButtonElement {
  const close = document.createElement('button');
  close.type = 'button';
  close.ariaLabel = label;
  close.className = 'float-right -my-2.5 flex size-11 items-center justify-center text-lg text-muted';
  close.textContent = '×';
  close.addEventListener('click', () => {
    item.closest('[data-row]')?.querySelector<HTMLElement>('[data-files]')?.focus();
    item.remove();
    onClose?.();
  });
  return close;
}

/** Adds a progress line for one file below a row. */
export function addProgressLine(row: string) {
  const item = document.createElement('li');
  const text = document.createElement('p');
  const bar = document.createElement('progress');
  text.className = 'text-sm wrap-anywhere';
  // Without borders, browsers draw it in colours of their own.
  bar.className =
    'mt-1 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-pressed ' +
    '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-pressed [&::-webkit-progress-value]:bg-accent';
  bar.max = 100;
  item.append(text, bar);
  linesOf(row)?.append(item);
  return {
    show: (message: string, percent: number | null = null): void => {
      text.textContent = message;
      bar.hidden = percent === null;
      if (percent !== null) bar.value = percent;
    },
    /** Until the row lists what has arrived, which may take long without a network. */
    arrive(message: string): void {
      this.show(message);
      item.dataset['arrived'] = '';
    },
    /** @param retry null when it cannot be tried again. */
    fail(
      { name, code }: Pick<MissingFile, 'name' | 'code'>,
      texts: Texts,
      { retry = null, onClose }: { retry?: (() => void) | null; onClose?: () => void } = {},
    ): void {
      const { retry: retryLabel, closeMessage, interrupted } = texts;
      this.show(
        code === INTERRUPTED ? fillTemplate(interrupted, { name }) : `${name}: ${failureText(texts, code)}`,
      );
      item.dataset['missing'] = name;
      item.dataset['code'] = retry ? INTERRUPTED : code;
      text.className += ' text-danger-text';
      text.role = 'alert';
      item.prepend(createCloseButton(item, closeMessage, onClose));
      if (!retry) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset['retry'] = '';
      button.className = 'link min-h-11';
      button.textContent = retryLabel;
      button.addEventListener('click', () => {
        item.remove();
        retry();
      });
      item.append(button);
    },
    remove: () => item.remove(),
  };
}

/** The files that have not arrived, as the page says. */
export const missingFiles = (): MissingFile[] =>
  Array.from(document.querySelectorAll<HTMLElement>('[data-missing]'), (line) => ({
    row: line.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? '',
    name: line.dataset['missing']!,
    code: line.dataset['code']!,
  }));

/** Removes what the page says about files that have not arrived. */
export function removeMissing(): void {
  for (const line of document.querySelectorAll('[data-missing]')) line.remove();
}

/** Removes what a row says about files with these names that were refused, since they are sent anew. */
export function removeRefused(row: string, names: readonly string[]): void {
  for (const line of linesOf(row)?.querySelectorAll<HTMLElement>('[data-missing]') ?? [])
    if (names.includes(line.dataset['missing']!) && !line.querySelector('[data-retry]')) line.remove();
}

/** Adds one progress line for `count` photographs that are sent together: seventy lines would push the rest of the page away. */
export function addPhotosLine(row: string, count: number, texts: Texts) {
  const line = addProgressLine(row);
  const percents = Array.from({ length: count }, () => 0);
  const ended = new Set<number>();
  const arrived = new Set<number>();
  const show = (isOffline = !navigator.onLine): void => {
    const message = isOffline
      ? texts.offline
      : fillTemplate(texts.sendingPhotos, { n: arrived.size, all: count });
    line.show(message, percents.reduce((sum, percent) => sum + percent, 0) / count);
  };
  show();
  return {
    show(index: number, percent: number, isOffline?: boolean): void {
      percents[index] = percent;
      show(isOffline);
    },
    /** Counts a photograph that has arrived, or has failed and gets a line of its own. */
    end(index: number, hasArrived: boolean): void {
      ended.add(index);
      if (hasArrived) arrived.add(index);
      if (ended.size === count) line.remove();
      else show();
    },
  };
}

/** A line that stays until it is closed. */
function createMessage(message: string, { closeMessage }: Texts): HTMLLIElement {
  const item = document.createElement('li');
  const text = document.createElement('p');
  text.className = 'text-sm wrap-anywhere';
  text.textContent = message;
  item.append(createCloseButton(item, closeMessage), text);
  return item;
}

/** Says, in one line for all files of a row, that they were sent before. */
export function showAlreadySent(row: string, name: string, texts: Texts): void {
  const lines = linesOf(row);
  const old = lines?.querySelector<HTMLElement>('[data-again]');
  const n = Number(old?.dataset['again'] ?? 0) + 1;
  const { alreadySent, alreadySentSeveral } = texts;
  const item = createMessage(fillTemplate(n === 1 ? alreadySent : alreadySentSeveral, { name, n }), texts);
  item.dataset['again'] = String(n);
  if (old) old.replaceWith(item);
  else lines?.append(item);
}

/** Says which photographs are no pages of the PDF, but files of their own. */
export const showUnread = (row: string, names: readonly string[], texts: Texts): void =>
  linesOf(row)?.append(createMessage(fillTemplate(texts.unread, { names: names.join(', ') }), texts));
