import { useEffect, useRef } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { bodyUrl } from '#server/previews/contract.ts';
import * as t from '#messages/preview.ts';
import { markWords } from './markWords.ts';
import { useSource } from './source.ts';
import { useScrollKeys } from './useScrollKeys.ts';
import { useSought } from './useSought.ts';

/** Keys that the frame forwards to the preview; all others act on the text, such as scrolling and copying. */
const FORWARDED_KEYS = new Set(['Escape', 'ArrowLeft', 'ArrowRight', 'F2']);

/**
 * Untrusted content in a sandboxed frame, without scripts, remote resources or links. The frame has the page's origin so
 * that the preview receives its key events; that is safe because no script can run in it.
 */
export function Frame({ item }: { item: ItemView }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const source = useSource(item);
  const sought = useSought();
  const unmark = useRef<(() => void) | null>(null);
  useEffect(() => () => unmark.current?.(), []);
  const onLoad = () => {
    const body = frame.current?.contentDocument?.body;
    if (sought && body) unmark.current = markWords(body, sought.words);
    const listen = (event: KeyboardEvent) => {
      if (!FORWARDED_KEYS.has(event.key) || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey)
        return;
      event.preventDefault();
      document.dispatchEvent(
        new KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }),
      );
    };
    frame.current?.contentDocument?.addEventListener('keydown', listen);
  };
  useScrollKeys(frame, (_, pixels) => frame.current?.contentWindow?.scrollBy(0, pixels));
  return (
    <iframe
      ref={frame}
      sandbox="allow-same-origin"
      referrerPolicy="no-referrer"
      src={bodyUrl(source)}
      title={t.contentOf(item.name)}
      className="office-frame"
      onLoad={onLoad}
    />
  );
}

export const RemotePictures = ({ count }: { count: number }) =>
  count > 0 && <p className="text-sm text-muted">{t.picturesBlocked(count)}</p>;

/** A text document with its tables and pictures, laid out as on paper. */
export function DocumentFrame({ item, view }: { item: ItemView; view: { remote_pictures: number } }) {
  return (
    <div className="office-room">
      <RemotePictures count={view.remote_pictures} />
      <Frame item={item} />
    </div>
  );
}
