import { useLayoutEffect, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { hasThumbnail, thumbnailUrl } from '#server/previews/contract.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { cx } from '../../lib/cx.ts';
import { knownThumbnail, queueThumbnail, settleThumbnail } from './thumbnails.ts';

/** A file's thumbnail; its type's glyph until that is loaded, and where there is none. */
export function Thumbnail({ item }: { item: ItemView }) {
  const { id, type, file_type, file_size, modified_at } = item;
  const content = `${id} ${modified_at}`;
  const mayHaveThumbnail = type === 'file' && hasThumbnail(file_type, file_size);
  // Server rendering knows no thumbnail's state.
  const [state, setState] = useState<'waiting' | 'loading' | 'there' | 'none'>('waiting');

  useLayoutEffect(() => {
    if (!mayHaveThumbnail) return undefined;
    const knownUrl = knownThumbnail(content);
    // oxlint-disable-next-line react/set-state-in-effect -- the outcome is known only in the browser
    setState(knownUrl ?? 'waiting');
    return knownUrl ? undefined : queueThumbnail(content, () => setState('loading'));
  }, [content, mayHaveThumbnail]);

  const settle = (outcome: 'there' | 'none') => () => {
    settleThumbnail(content, outcome);
    setState(outcome);
  };
  const isRequested = mayHaveThumbnail && (state === 'loading' || state === 'there');
  return (
    <>
      {state !== 'there' && <FileGlyph fileType={type === 'folder' ? null : file_type} size={56} />}
      {isRequested && (
        <img
          // The date changes the URL with the content, since the browser caches by URL.
          src={`${thumbnailUrl(id)}?${Date.parse(modified_at)}`}
          alt=""
          decoding="async"
          draggable={false}
          onLoad={settle('there')}
          onError={settle('none')}
          className={cx(
            'size-full',
            // A document is recognised by the top of its page, a photograph by the whole picture.
            file_type === 'pdf' ? 'object-cover object-top' : 'object-contain',
            state === 'loading' && 'absolute opacity-0',
          )}
        />
      )}
    </>
  );
}
