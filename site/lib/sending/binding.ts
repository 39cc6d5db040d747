import type { BoundPhotos } from '#server/collecting/contract.ts';
import { PHOTOS_PER_PDF } from '#server/collecting/contract.ts';
import type { Link } from './link.ts';
import { addProgressLine, showUnread } from './progress-lines.ts';
import type { Texts } from './texts.ts';
import { fillTemplate } from './texts.ts';

const BIND_TRIES = 20;
const BIND_PAUSE_MS = 5000;

/** Waits for a network, at most for a pause: browsers do not notice every network that is gone or back. */
const pauseOrOnline = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, BIND_PAUSE_MS);
    function done(): void {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    }
    addEventListener('online', done);
  });

function arrivedText({ photosArrived: { other, several } }: Texts, n: number): string {
  const pdfs = Math.ceil(n / PHOTOS_PER_PDF);
  return fillTemplate(pdfs > 1 ? several : other, { n, pdfs });
}

/** Has the server bind the photographs of a batch into a PDF. If it refuses or stays away, it does so later by itself. */
export async function bindPhotos(
  link: Link,
  row: string,
  { batch, count }: { batch: string; count: number },
): Promise<void> {
  const line = addProgressLine(row);
  for (let attempt = 1; ; attempt += 1) {
    line.show(link.texts.makingPdf, 100);
    const bound = await fetch(`${link.address}${row === '' ? '' : `/rows/${row}`}/bind`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-form': link.form },
      body: JSON.stringify({ batch }),
    }).catch(() => null);
    if (bound?.ok) {
      const { data } = (await bound.json().catch(() => ({}))) as { data?: BoundPhotos };
      const unread = data?.unread ?? [];
      const n = count - unread.length;
      // A page with numbered rows lists the PDF; of a single photograph its own line says that it has arrived.
      if (row === '' && n > 1) line.show(arrivedText(link.texts, n));
      else line.remove();
      if (unread.length > 0) showUnread(row, unread, link.texts);
      return;
    }
    if (bound || attempt === BIND_TRIES) return line.show(link.texts.notices['arrived'] ?? '');
    line.show(link.texts.offline, 100);
    await pauseOrOnline();
  }
}
