import { createStrip, isPhoto } from './photos.ts';
import { isUploading, UploadRefused, uploadFile } from './upload.ts';
import type { Texts } from './texts.ts';
import { failureText, fillTemplate } from './texts.ts';

interface Link {
  address: string;
  form: string;
  max: number;
  texts: Texts;
}

/** An id shared by the photographs of one document. `crypto.randomUUID` is missing without HTTPS. */
const newBatchId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Upload metadata naming the row; a drop link's only row has no number. */
const rowMetadata = (row: string): Record<string, string> => (row === '' ? {} : { row });

/** Number of files being sent. */
let unsent = 0;

/** Adds a progress line for one file below a row. Finds the row by its number, since `refresh` replaces the element. */
function addProgressLine(row: string) {
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
  document.querySelector(`[data-row="${row}"] [data-sending]`)?.append(item);
  return {
    show: (message: string, percent: number | null = null): void => {
      text.textContent = message;
      bar.hidden = percent === null;
      if (percent !== null) bar.value = percent;
    },
    fail(message: string, retryLabel: string, retry: (() => Promise<void>) | null): void {
      this.show(message);
      text.className += ' text-danger-text';
      text.role = 'alert';
      if (!retry) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'link min-h-11';
      button.textContent = retryLabel;
      button.addEventListener('click', () => {
        item.remove();
        void retry();
      });
      item.append(button);
    },
    remove: () => item.remove(),
  };
}

/** Error codes not caused by the file itself, so that a retry can succeed. */
const RETRYABLE = new Set([
  'failed',
  'wait',
  'cannot_receive',
  'cut_off',
  'stalled',
  'lost',
  'too_many_requests',
]);

async function sendOne(
  link: Link,
  row: string,
  file: File,
  photo: Record<string, string> = {},
): Promise<boolean> {
  const { texts } = link;
  const metadata = { ...rowMetadata(row), ...photo };
  const line = addProgressLine(row);
  const showProgress = (percent: number): void =>
    line.show(
      navigator.onLine ? fillTemplate(texts.uploading, { name: file.name, percent }) : texts.offline,
      percent,
    );
  showProgress(0);
  const showOffline = () => line.show(texts.offline, 0);
  addEventListener('offline', showOffline);
  unsent += 1;
  try {
    const { again } = await uploadFile(link, { file, metadata, onProgress: showProgress });
    line.show(fillTemplate(again ? texts.alreadySent : texts.sent, { name: file.name }));
    // A page with numbered rows lists the arrived file itself.
    if (!again && row !== '') line.remove();
    return true;
  } catch (error) {
    const code = error instanceof UploadRefused ? error.code : 'failed';
    const retry = async (): Promise<void> => {
      if (await sendOne(link, row, file, photo)) await refresh(link);
    };
    line.fail(`${file.name}: ${failureText(texts, code)}`, texts.retry, RETRYABLE.has(code) ? retry : null);
    return false;
  } finally {
    unsent -= 1;
    removeEventListener('offline', showOffline);
  }
}

async function sendPhotos(link: Link, row: string, photos: readonly File[]): Promise<void> {
  const batch = newBatchId();
  const sent = await Promise.all(
    photos.map((file, index) => sendOne(link, row, file, { batch, position: String(index + 1) })),
  );
  if (!sent.some(Boolean)) return;
  const line = addProgressLine(row);
  line.show(link.texts.makingPdf, 100);
  const bound = await fetch(`${link.address}${row === '' ? '' : `/rows/${row}`}/bind`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-form': link.form },
    body: JSON.stringify({ batch }),
  }).catch(() => null);
  // The photographs have arrived; if this call fails, the server binds them into a document later.
  if (bound?.ok ?? false) line.remove();
  else line.show(link.texts.notices['arrived'] ?? '');
}

/** Reloads the page's rows from the server, except those that the user is working on. */
async function refresh(link: Link): Promise<void> {
  const response = await fetch(link.address, { headers: { accept: 'text/html' } }).catch(() => null);
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const card of document.querySelectorAll<HTMLElement>('[data-row]')) {
    const strip = card.querySelector<HTMLElement>('[data-strip]');
    const lines = card.querySelector('[data-sending]');
    const replacement = fresh.getElementById(card.id);
    // A row with chosen photographs or with uploads in progress must not be replaced.
    if (!replacement || (strip && !strip.hidden) || lines?.querySelector('progress:not([hidden])')) continue;
    const progressLines = lines ? Array.from(lines.children) : [];
    const typed = card.querySelector<HTMLTextAreaElement>('textarea')?.value ?? '';
    card.replaceWith(replacement);
    const reason = replacement.querySelector<HTMLTextAreaElement>('textarea');
    if (reason && typed !== '') {
      reason.value = typed;
      reason.closest('details')!.open = true;
    }
    replacement.querySelector('[data-sending]')?.append(...progressLines);
    enhanceRow(link, replacement);
  }
  for (const id of ['progress', 'foot']) {
    const replacement = fresh.getElementById(id);
    if (replacement) document.getElementById(id)?.replaceWith(replacement);
  }
}

function enhanceRow(link: Link, card: HTMLElement): void {
  const area = card.querySelector<HTMLElement>('[data-scripted]');
  const strip = card.querySelector<HTMLOListElement>('[data-strip]');
  const button = card.querySelector<HTMLButtonElement>('[data-send]');
  const row = card.dataset['row'];
  if (!area || !strip || !button || row === undefined) return;
  card.querySelector<HTMLElement>('[data-plain]')!.hidden = true;
  area.hidden = false;
  const photos = createStrip({ strip, button }, link.texts, (chosen) => {
    void sendPhotos(link, row, chosen).then(() => refresh(link));
  });
  for (const input of card.querySelectorAll<HTMLInputElement>('[data-camera], [data-files]'))
    input.addEventListener('change', () => {
      const chosen = Array.from(input.files ?? []);
      // Lets the user choose the same file again.
      input.value = '';
      photos.add(chosen.filter(isPhoto));
      const others = chosen.filter((file) => !isPhoto(file));
      if (others.length > 0)
        void Promise.all(others.map((file) => sendOne(link, row, file))).then(() => refresh(link));
    });
}

/** Progressive enhancement of the sender's page: photographs, resumable uploads, and progress per file. */
export function enhance(): void {
  const config = document.querySelector<HTMLDataElement>('#sending');
  if (!config) return;
  const { address = '', form = '', max = '0', words = '{}' } = config.dataset;
  const link: Link = { address, form, max: Number(max), texts: JSON.parse(words) as Texts };
  for (const card of document.querySelectorAll<HTMLElement>('[data-row]')) enhanceRow(link, card);
  addEventListener('beforeunload', (event) => {
    if (unsent > 0 || isUploading()) event.preventDefault();
  });
}
