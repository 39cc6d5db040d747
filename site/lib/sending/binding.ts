import type { BoundPhotos } from '#server/collecting/contract.ts';
import { PHOTOS_PER_PDF } from '#server/collecting/contract.ts';
import type { Link } from './link.ts';
import { addProgressLine, showUnread } from './progress-lines.ts';
import type { Texts } from './texts.ts';
import { fillTemplate } from './texts.ts';

const BIND_TRIES = 20;
const BIND_PAUSE_MS = 5000;

/** Waits for a network, at most for a pause: browsers do not notice every network that is gone or back. */
export const pauseOrOnline = (): Promise<void> =>
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

/**
 * Has the server bind the photographs of a batch into a PDF. If it refuses or stays away, it does so later by itself.
 * @param untold the names of those of which no line of their own says that they have arrived.
 */
export async function bindPhotos(
  link: Link,
  row: string,
  { batch, count, untold }: { batch: string; count: number; untold: readonly string[] },
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
      const [name] = untold.filter((one) => !unread.includes(one));
      if (n > 1) line.arrive(arrivedText(link.texts, n));
      else if (name !== undefined) line.arrive(fillTemplate(link.texts.sent, { name }));
      else line.remove();
      if (unread.length > 0) showUnread(row, unread, link.texts);
      return;
    }
    if (bound || attempt === BIND_TRIES) return line.show(link.texts.notices['arrived'] ?? '');
    line.show(link.texts.offline, 100);
    await pauseOrOnline();
  }
}
