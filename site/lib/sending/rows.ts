import { createStrip, isPhoto } from './photos.ts';
import { isUploading, UploadRefused, uploadFile } from './upload.ts';
import type { Texts } from './texts.ts';
import { failureText, fillTemplate } from './texts.ts';

interface Link {
  address: string;
  form: string;
  max: number;
  words: Texts;
}

/** A mark that photographs of one document share; not every phone's browser has `randomUUID` without https. */
const newMark = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Of a row of the page; a link that asks for nothing in particular has one without a number. */
const inRow = (row: string): Record<string, string> => (row === '' ? {} : { row });

/** What is being sent, and has not been taken over by the page as the server draws it. */
let unsent = 0;

/** A line beneath a row that says how far a file has come. */
function lineIn(list: HTMLElement) {
  const item = document.createElement('li');
  const text = document.createElement('p');
  const bar = document.createElement('progress');
  text.className = 'text-sm break-all';
  bar.className = 'mt-1 block h-1.5 w-full accent-(--accent)';
  bar.max = 100;
  item.append(text, bar);
  list.append(item);
  return {
    say: (said: string, percent: number | null = null): void => {
      text.textContent = said;
      bar.hidden = percent === null;
      if (percent !== null) bar.value = percent;
    },
    fail(said: string, label: string, again: (() => Promise<void>) | null): void {
      this.say(said);
      text.className += ' text-danger-text';
      text.role = 'alert';
      if (!again) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'link min-h-11';
      button.textContent = label;
      button.addEventListener('click', () => {
        item.remove();
        void again();
      });
      item.append(button);
    },
    remove: () => item.remove(),
  };
}

/** Another try may help where the file itself is not at fault. */
const HOPEFUL = new Set([
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
  list: HTMLElement,
  file: File,
  metadata: Record<string, string>,
): Promise<boolean> {
  const { words } = link;
  const line = lineIn(list);
  const show = (percent: number): void =>
    line.say(
      navigator.onLine ? fillTemplate(words.uploading, { name: file.name, percent }) : words.offline,
      percent,
    );
  show(0);
  const offline = () => line.say(words.offline, 0);
  addEventListener('offline', offline);
  unsent += 1;
  try {
    const { again } = await uploadFile(link, { file, metadata, onProgress: show });
    line.say(fillTemplate(again ? words.again : words.sent, { name: file.name }));
    // Where the page lists what has arrived, that says it.
    if (!again && metadata['row'] !== undefined) line.remove();
    return true;
  } catch (error) {
    const code = error instanceof UploadRefused ? error.code : 'failed';
    const retry = async (): Promise<void> => {
      if (await sendOne(link, list, file, metadata)) await refresh(link);
    };
    line.fail(`${file.name}: ${failureText(words, code)}`, words.retry, HOPEFUL.has(code) ? retry : null);
    return false;
  } finally {
    unsent -= 1;
    removeEventListener('offline', offline);
  }
}

async function sendPhotos(
  link: Link,
  row: string,
  list: HTMLElement,
  photos: readonly File[],
): Promise<void> {
  const batch = newMark();
  const sent = await Promise.all(
    photos.map((file, at) => sendOne(link, list, file, { ...inRow(row), batch, position: String(at + 1) })),
  );
  if (!sent.some(Boolean)) return;
  const line = lineIn(list);
  line.say(link.words.binding, 100);
  const bound = await fetch(`${link.address}${row === '' ? '' : `/rows/${row}`}/bind`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-form': link.form },
    body: JSON.stringify({ batch }),
  }).catch(() => null);
  // The photographs are safe; where this fails, the server makes the document of them by itself.
  if (bound?.ok ?? false) line.remove();
  else line.say(link.words.said['arrived'] ?? '');
}

/** Takes over what the server says of the rows that are not being changed just now. */
async function refresh(link: Link): Promise<void> {
  const answered = await fetch(link.address, { headers: { accept: 'text/html' } }).catch(() => null);
  if (!answered?.ok) return;
  const fresh = new DOMParser().parseFromString(await answered.text(), 'text/html');
  for (const card of document.querySelectorAll<HTMLElement>('[data-row]')) {
    const strip = card.querySelector<HTMLElement>('[data-strip]');
    const lines = card.querySelector('[data-sending]');
    const now = fresh.getElementById(card.id);
    // Photographs that were chosen, and what could not be sent, are still to be dealt with.
    if (!now || (strip && !strip.hidden) || lines?.querySelector('progress:not([hidden])')) continue;
    const kept = lines ? Array.from(lines.children) : [];
    const typed = card.querySelector<HTMLTextAreaElement>('textarea')?.value ?? '';
    card.replaceWith(now);
    const reason = now.querySelector<HTMLTextAreaElement>('textarea');
    if (reason && typed !== '') {
      reason.value = typed;
      reason.closest('details')!.open = true;
    }
    now.querySelector('[data-sending]')?.append(...kept);
    enhanceRow(link, now);
  }
  for (const id of ['progress', 'foot']) {
    const now = fresh.getElementById(id);
    if (now) document.getElementById(id)?.replaceWith(now);
  }
}

function enhanceRow(link: Link, card: HTMLElement): void {
  const area = card.querySelector<HTMLElement>('[data-scripted]');
  const list = card.querySelector<HTMLElement>('[data-sending]');
  const strip = card.querySelector<HTMLOListElement>('[data-strip]');
  const button = card.querySelector<HTMLButtonElement>('[data-send]');
  const row = card.dataset['row'];
  if (!area || !list || !strip || !button || row === undefined) return;
  card.querySelector<HTMLElement>('[data-plain]')!.hidden = true;
  area.hidden = false;
  const photos = createStrip({ strip, button }, link.words, (chosen) => {
    void sendPhotos(link, row, list, chosen).then(() => refresh(link));
  });
  for (const input of card.querySelectorAll<HTMLInputElement>('[data-camera], [data-files]'))
    input.addEventListener('change', () => {
      const chosen = Array.from(input.files ?? []);
      // The same may be chosen again.
      input.value = '';
      photos.add(chosen.filter(isPhoto));
      const others = chosen.filter((file) => !isPhoto(file));
      if (others.length > 0)
        void Promise.all(others.map((file) => sendOne(link, list, file, inRow(row)))).then(() =>
          refresh(link),
        );
    });
}

/** Makes the plain page one that takes photographs, goes on after a lost network, and shows how far each file is. */
export function enhance(): void {
  const mark = document.querySelector<HTMLDataElement>('#sending');
  if (!mark) return;
  const { address = '', form = '', max = '0', words = '{}' } = mark.dataset;
  const link: Link = { address, form, max: Number(max), words: JSON.parse(words) as Texts };
  for (const card of document.querySelectorAll<HTMLElement>('[data-row]')) enhanceRow(link, card);
  addEventListener('beforeunload', (event) => {
    if (unsent > 0 || isUploading()) event.preventDefault();
  });
}
