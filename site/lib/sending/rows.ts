import { bindPhotos, pauseOrOnline } from './binding.ts';
import type { Link } from './link.ts';
import type { MissingFile } from './missing.ts';
import { INTERRUPTED, storedMissing, storeMissing } from './missing.ts';
import { createStrip, isPhoto } from './photos.ts';
import {
  addPhotosLine,
  addProgressLine,
  missingFiles,
  removeRefused,
  showAlreadySent,
} from './progress-lines.ts';
import { isUploading, UploadRefused, uploadFile } from './upload.ts';
import { isKept, keepPhotos, keptPhotos } from './kept-photos.ts';
import { randomId } from './randomId.ts';
import type { Texts } from './texts.ts';
import { fillTemplate } from './texts.ts';

/** Upload metadata naming the row; a drop link's only row has no number. */
const rowMetadata = (row: string): Record<string, string> => (row === '' ? {} : { row });

/** The files that are being sent. */
const inProgress = new Set<MissingFile>();

/** What is being sent; each tells whether nothing of it can be tried again. */
const sends = new Set<Promise<boolean>>();

function track(sending: Promise<boolean>): void {
  sends.add(sending);
  void sending.finally(() => sends.delete(sending));
}

const chosenPhotos = (): NodeListOf<HTMLButtonElement> =>
  document.querySelectorAll<HTMLButtonElement>('[data-send]:not([hidden])');

const isSending = (): boolean => sends.size > 0 || isUploading();

/** Whether files are chosen or being sent. */
export const hasUnsent = (): boolean => isSending() || chosenPhotos().length > 0;

/** The rows of photographs that were sent off and have not arrived: until then they stay kept. */
const underWay = new Map<File, string>();

function keep({ address }: Link, row: string): void {
  const chosen = pickers.get(row)?.photos() ?? [];
  const sent = [...underWay].flatMap(([photo, of]) => (of === row ? photo : []));
  void keepPhotos(address, row, [...chosen, ...sent]);
}

/** Forgets a photograph that has arrived, or is not sent again. */
function forget(link: Link, row: string, photo: File): void {
  if (underWay.delete(photo)) keep(link, row);
}

/** The buttons of files that have failed and can be tried again. */
export const retryButtons = (): NodeListOf<HTMLButtonElement> =>
  document.querySelectorAll<HTMLButtonElement>('[data-retry]');

/** Tries failed files once more. */
export function retryFailed(): void {
  for (const button of retryButtons()) button.click();
}

/** Sends the chosen photographs, and waits for all that is being sent. @returns whether nothing of it can be tried again. */
export async function sendChosen(): Promise<boolean> {
  let settled = true;
  // More may be chosen while these are being sent.
  while (sends.size > 0 || chosenPhotos().length > 0) {
    for (const button of chosenPhotos()) button.click();
    settled = (await Promise.all(sends)).every(Boolean) && settled;
  }
  return settled;
}

/** Error codes not caused by the file itself, so that a retry can succeed, with the file that is kept for it. */
const RETRYABLE = new Set([
  'failed',
  'wait',
  'cannot_receive',
  'cut_off',
  'stalled',
  'lost',
  'too_many_requests',
  // The office may open again what it has closed; until then the file stays on the page.
  'link_gone',
  'not_needed',
]);

/** `again`: it had arrived before. `failed` can be tried again, `refused` cannot. */
type Outcome = 'arrived' | 'again' | 'failed' | 'refused';

const hasArrived = (outcome: Outcome): boolean => outcome === 'arrived' || outcome === 'again';

/**
 * Sends a file with a progress line.
 * @param retry called by the button of a failed file.
 * @param together shows the progress, where the file shares a line with others; then it has one of its own when it fails.
 */
async function sendWithLine(
  link: Link,
  { row, file, metadata }: { row: string; file: File; metadata: Record<string, string> },
  retry: () => void,
  together?: (percent: number, isOffline?: boolean) => void,
): Promise<Outcome> {
  const { texts } = link;
  const line = together ? null : addProgressLine(row);
  const unfinished: MissingFile = { row, name: file.name, code: INTERRUPTED };
  inProgress.add(unfinished);
  let percent = 0;
  const showOffline = () => (together ? together(percent, true) : line?.show(texts.offline, percent));
  const showProgress = (now: number): void => {
    percent = now;
    if (together) together(percent);
    else if (!navigator.onLine) showOffline();
    else line?.show(fillTemplate(texts.uploading, { name: file.name, percent }), percent);
  };
  showProgress(0);
  addEventListener('offline', showOffline);
  try {
    const { again } = await uploadFile(link, {
      file,
      metadata: { ...rowMetadata(row), ...metadata },
      onProgress: showProgress,
      onInterrupted: showOffline,
    });
    forget(link, row, file);
    if (!again) {
      line?.arrive(fillTemplate(texts.sent, { name: file.name }));
      return 'arrived';
    }
    line?.remove();
    showAlreadySent(row, file.name, texts);
    return 'again';
  } catch (error) {
    const code = error instanceof UploadRefused ? error.code : 'failed';
    const isRetryable = RETRYABLE.has(code);
    if (!isRetryable) forget(link, row, file);
    (line ?? addProgressLine(row)).fail({ name: file.name, code }, texts, {
      retry: isRetryable ? retry : null,
      onClose: () => forget(link, row, file),
    });
    return isRetryable ? 'failed' : 'refused';
  } finally {
    inProgress.delete(unfinished);
    removeEventListener('offline', showOffline);
  }
}

/** @returns whether it cannot be tried again. */
async function sendFile(link: Link, row: string, file: File): Promise<boolean> {
  const retry = (): void => track(refreshAfter(link, sendFile(link, row, file)));
  return (await sendWithLine(link, { row, file, metadata: {} }, retry)) !== 'failed';
}

/**
 * Sends photographs that become one PDF, which waits for those that can be tried again.
 * @returns whether none can be tried again.
 */
async function sendPhotos(link: Link, row: string, photos: readonly File[]): Promise<boolean> {
  removeRefused(
    row,
    photos.map(({ name }) => name),
  );
  const batch = randomId();
  const outcomes = photos.map((): Outcome => 'failed');
  const untold = new Set<string>();
  const line = photos.length > 1 ? addPhotosLine(row, photos.length, link.texts) : null;
  async function send(file: File, index: number, isRetry = false): Promise<boolean> {
    underWay.set(file, row);
    const metadata = { batch, position: String(index + 1) };
    const retry = (): void => track(refreshAfter(link, send(file, index, true)));
    const together = isRetry ? null : line;
    const outcome = await sendWithLine(
      link,
      { row, file, metadata },
      retry,
      together ? (percent, isOffline) => together.show(index, percent, isOffline) : undefined,
    );
    together?.end(index, hasArrived(outcome));
    if (together && outcome === 'arrived') untold.add(file.name);
    outcomes[index] = outcome;
    const count = outcomes.filter(hasArrived).length;
    if (!outcomes.includes('failed') && count > 0)
      await bindPhotos(link, row, { batch, count, untold: [...untold] });
    return outcome !== 'failed';
  }
  return (await Promise.all(photos.map((file, index) => send(file, index)))).every(Boolean);
}

const CONTROLS = 'button, summary, textarea, input, a[href]';

const labelOf = ({ ariaLabel, textContent }: Element): string => ariaLabel ?? textContent ?? '';

/** Focuses the control of a new element that was focused in the old one, of several alike one in sight, or the first in its place. */
function restoreFocus(focused: Element | null, old: readonly Element[], replacement: HTMLElement): void {
  if (!focused || !old.includes(focused)) return;
  const controls = Array.from(replacement.querySelectorAll<HTMLElement>(CONTROLS));
  const same = controls.filter(
    ({ tagName, textContent, ariaLabel }) =>
      tagName === focused.tagName && textContent === focused.textContent && ariaLabel === focused.ariaLabel,
  );
  for (const control of [...same, ...controls]) {
    control.focus();
    if (document.activeElement === control) return;
  }
}

/** Without script, each button takes chosen files along; here they are sent by themselves, and its own form with the button. */
function separateForms(): void {
  for (const control of document.querySelectorAll('[form=chosen]:is([formaction], textarea)')) {
    control.removeAttribute('form');
    control.removeAttribute('formaction');
    if (control instanceof HTMLTextAreaElement) control.name = 'reason';
  }
}

/** Of several at a time only the last counts, since an older answer knows less. */
let refreshes = 0;

/** Reloads the page's rows from the server, except those that the user is working on; without a network, once it is back. */
async function refresh(link: Link): Promise<void> {
  refreshes += 1;
  const number = refreshes;
  // With the query, by which the page shows a new receipt above instead of below.
  const response = await fetch(link.address + location.search, { headers: { accept: 'text/html' } }).catch(
    () => null,
  );
  if (number !== refreshes) return;
  if (!response) void pauseOrOnline().then(() => (number === refreshes ? refresh(link) : undefined));
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (number !== refreshes) return;
  for (const card of document.querySelectorAll<HTMLElement>('[data-row]')) {
    const photos = pickers.get(card.dataset['row'] ?? '')?.photos() ?? [];
    const lines = card.querySelector('[data-sending]');
    const replacement = fresh.getElementById(card.id);
    const focused = document.activeElement;
    // A row with uploads in progress or in which somebody types must not be replaced.
    const isInUse = focused instanceof HTMLTextAreaElement && card.contains(focused);
    if (!replacement || isInUse || lines?.querySelector('progress:not([hidden])')) continue;
    // Nor a row that takes nothing more, while photographs are chosen for it: sending them says why.
    if (photos.length > 0 && !replacement.querySelector('[data-strip]')) continue;
    const controls = Array.from(card.querySelectorAll(CONTROLS));
    const open = new Set(Array.from(card.querySelectorAll('details[open] > summary'), labelOf));
    // A numbered row lists itself what has arrived.
    const told = card.dataset['row'] === '' ? '' : ':not([data-arrived])';
    const progressLines = lines ? Array.from(lines.querySelectorAll(`:scope > li${told}`)) : [];
    const typed = card.querySelector<HTMLTextAreaElement>('textarea')?.value ?? '';
    card.replaceWith(replacement);
    const reason = replacement.querySelector<HTMLTextAreaElement>('textarea');
    if (reason) reason.value = typed;
    for (const details of replacement.querySelectorAll('details'))
      details.open = open.has(labelOf(details.querySelector('summary')!));
    replacement.querySelector('[data-sending]')?.append(...progressLines);
    enhanceRow(link, replacement, photos);
    restoreFocus(focused, controls, replacement);
  }
  for (const id of ['sent-back', 'receipt', 'progress', 'foot']) {
    const [old, replacement] = [document.getElementById(id), fresh.getElementById(id)];
    // A pressed button says that it waits.
    if (replacement && !old?.querySelector('[aria-busy]')) old?.replaceWith(replacement);
  }
  if (!fresh.querySelector('#receipt > *')) document.querySelector('[data-said=done]')?.remove();
  if (!fresh.querySelector('[data-nothing]')) document.querySelector('[data-said=nothing]')?.remove();
  separateForms();
}

async function refreshAfter(link: Link, sending: Promise<boolean>): Promise<boolean> {
  const settled = await sending;
  await refresh(link);
  return settled;
}

interface Picker {
  take: (chosen: readonly File[]) => void;
  /** The photographs that are chosen and not sent. */
  photos: () => readonly File[];
}

/** By row: `refresh` may replace the row's element while the system's dialog to choose files is open. */
const pickers = new Map<string, Picker>();

/** On a computer without touch choosing files comes first: its camera, if it has one, takes no pictures of papers. */
function putFilesFirst(card: HTMLElement): void {
  if (matchMedia('(any-pointer: coarse)').matches) return;
  const [camera, files] = ['[data-camera]', '[data-files]'].map((input) =>
    card.querySelector(input)?.closest('label'),
  );
  if (!camera || !files) return;
  [camera.className, files.className] = [files.className, camera.className];
  camera.before(files);
}

/** @param chosen photographs that are not sent yet. */
function enhanceRow(link: Link, card: HTMLElement, chosen: readonly File[] = []): void {
  const area = card.querySelector<HTMLElement>('[data-scripted]');
  const strip = card.querySelector<HTMLOListElement>('[data-strip]');
  const unsent = card.querySelector<HTMLElement>('[data-unsent]');
  const button = card.querySelector<HTMLButtonElement>('[data-send]');
  const row = card.dataset['row'];
  if (!area || !strip || !unsent || !button || row === undefined) return;
  card.querySelector<HTMLElement>('[data-plain]')!.hidden = true;
  area.hidden = false;
  putFilesFirst(card);
  const { add, photos } = createStrip({ strip, unsent, button }, link.texts, {
    onSend: (all) => track(refreshAfter(link, sendPhotos(link, row, all))),
    onChange: () => keep(link, row),
  });
  const take = (chosen: readonly File[]): void => {
    add(chosen.filter(isPhoto));
    const others = chosen.filter((file) => !isPhoto(file));
    if (others.length === 0) return;
    removeRefused(
      row,
      others.map(({ name }) => name),
    );
    const sending = Promise.all(others.map((file) => sendFile(link, row, file)));
    track(
      refreshAfter(
        link,
        sending.then((settled) => settled.every(Boolean)),
      ),
    );
  };
  pickers.set(row, { take, photos });
  add(chosen);
  for (const input of card.querySelectorAll<HTMLInputElement>('input[type=file]'))
    input.addEventListener('change', () => {
      const chosen = Array.from(input.files ?? []);
      // Loaded while there is a network; a failure shows when the file is sent.
      void import('tus-js-client').catch(() => {});
      // Lets the user choose the same file again.
      input.value = '';
      pickers.get(row)?.take(chosen);
      // Below many photographs it would not be seen, and a client would think that they are sent. The row may have been replaced.
      document.querySelector(`[data-row="${row}"] [data-send]`)?.scrollIntoView({ block: 'nearest' });
    });
}

/** Shows the photographs that were chosen before the page was left, and says which files had not arrived. */
async function showKept({ address, texts }: Link): Promise<void> {
  const missing = storedMissing(address);
  const kept = await keptPhotos(address, [...pickers.keys()]);
  for (const [row, photos] of kept) pickers.get(row)?.take(photos);
  for (const { row, name, code } of missing) {
    // Of these nothing is lost.
    const isKept = code === INTERRUPTED && kept.get(row)?.some((photo) => photo.name === name);
    if (!isKept) addProgressLine(row).fail({ name, code }, texts);
  }
}

/** Takes what was chosen while the script was still on its way, by the inputs that it has hidden since. */
function takeEarlier(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('[data-plain] input[type=file]'))
    if (input.value !== '') input.dispatchEvent(new Event('change'));
}

/** Progressive enhancement of the sender's page: photographs, resumable uploads, and progress per file. */
export function enhance(): void {
  const config = document.querySelector<HTMLDataElement>('#sending');
  if (!config) return;
  const { address = '', form = '', max = '0', words = '{}' } = config.dataset;
  const link: Link = { address, form, max: Number(max), texts: JSON.parse(words) as Texts };
  for (const card of document.querySelectorAll<HTMLElement>('[data-row]')) enhanceRow(link, card);
  separateForms();
  void showKept(link)
    .then(takeEarlier)
    .then(() =>
      addEventListener('pagehide', () => storeMissing(address, [...missingFiles(), ...inProgress])),
    );
  let isChangingLanguage = false;
  document.addEventListener('click', ({ target }) => {
    isChangingLanguage = target instanceof Element && target.closest('a[hreflang]') !== null;
  });
  addEventListener('beforeunload', (event) => {
    // In its other language the page offers them again at once.
    const loses = !isChangingLanguage || [...pickers.values()].some(({ photos }) => !photos().every(isKept));
    if (isSending() || (loses && chosenPhotos().length > 0)) event.preventDefault();
  });
}
