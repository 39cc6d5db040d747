import { useLayoutEffect, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { hasThumbnail, thumbnailUrl } from '#server/previews/contract.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { cx } from '../../lib/cx.ts';
import { knownThumbnail, queueThumbnail, settleThumbnail } from './thumbnails.ts';

/** What is in a file, small; its type's glyph until that is there, and where there is no picture. */
export function Thumbnail({ item }: { item: ItemView }) {
  const { id, type, file_type, file_size, modified_at } = item;
  const content = `${id} ${modified_at}`;
  const pictured = type === 'file' && hasThumbnail(file_type, file_size);
  // Drawn on the server, nothing is known of any picture.
  const [state, setState] = useState<'waiting' | 'loading' | 'there' | 'none'>('waiting');

  useLayoutEffect(() => {
    if (!pictured) return undefined;
    const known = knownThumbnail(content);
    // oxlint-disable-next-line react/set-state-in-effect -- what is known is the browser's
    setState(known ?? 'waiting');
    return known ? undefined : queueThumbnail(content, () => setState('loading'));
  }, [content, pictured]);

  const settle = (outcome: 'there' | 'none') => () => {
    settleThumbnail(content, outcome);
    setState(outcome);
  };
  const asked = pictured && (state === 'loading' || state === 'there');
  return (
    <>
      {state !== 'there' && <FileGlyph fileType={type === 'folder' ? null : file_type} size={56} />}
      {asked && (
        <img
          // The same address once more would be the same picture to the browser.
          src={`${thumbnailUrl(id)}?${Date.parse(modified_at)}`}
          alt=""
          decoding="async"
          draggable={false}
          onLoad={settle('there')}
          onError={settle('none')}
          className={cx(
            'size-full',
            // Of a sheet the top is what one knows it by; of a photograph all of it.
            file_type === 'pdf' ? 'object-cover object-top' : 'object-contain',
            state === 'loading' && 'absolute opacity-0',
          )}
        />
      )}
    </>
  );
}
