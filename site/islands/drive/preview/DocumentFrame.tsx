import { useRef } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { bodyUrl } from '#server/previews/contract.ts';
import { plural } from '../../../lib/format.ts';
import { useDocumentEvent } from '../useDocumentEvent.ts';

/** What others wrote, in a frame in which nothing runs, loads or leads anywhere. */
export function Frame({ item, className }: { item: ItemView; className?: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useDocumentEvent('pointermove', () => {
    // A click into the frame takes the keys along. They come back with the pointer, so that Esc and the arrows work.
    if (document.activeElement === frame.current)
      frame.current?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
  });
  return (
    <iframe
      ref={frame}
      sandbox=""
      referrerPolicy="no-referrer"
      src={bodyUrl(item.id)}
      title={`Content of ${item.name}`}
      className={`office-frame ${className ?? ''}`}
    />
  );
}

export const RemotePictures = ({ count }: { count: number }) =>
  count > 0 && (
    <p className="text-sm text-muted">
      {plural(count, 'picture')} from the internet {count === 1 ? 'is' : 'are'} not loaded.
    </p>
  );

/** A page of text with its tables and pictures, as on paper. */
export function DocumentFrame({ item, view }: { item: ItemView; view: { remote_pictures: number } }) {
  return (
    <div className="office-room">
      <RemotePictures count={view.remote_pictures} />
      <Frame item={item} />
    </div>
  );
}
