import { useRef, useState } from 'react';
import * as t from '#messages/preview.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { Failure } from './Failure.tsx';
import type { ViewerProps } from './ImageViewer.tsx';
import { isElsewhere } from './isElsewhere.ts';
import { toggle, VideoBar } from './VideoBar.tsx';

export function VideoViewer({ item, url, onRetry }: ViewerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);

  useDocumentEvent('keydown', (event) => {
    const onControl = event.target instanceof Element && event.target.closest('button, a, input');
    if (event.key !== ' ' || event.defaultPrevented || onControl || isElsewhere(event)) return;
    event.preventDefault();
    toggle(video.current);
  });

  if (failed) {
    return (
      <Failure
        title={t.videoFailed}
        item={item}
        onRetry={() => {
          setFailed(false);
          onRetry();
        }}
      />
    );
  }
  return (
    <>
      <div className="viewer-room px-14 pb-16 max-md:px-3">
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption, jsx-a11y/click-events-have-key-events -- clients' recordings come without captions; Space does the same as a click */}
        <video
          ref={video}
          src={url}
          preload="metadata"
          aria-label={item.name}
          onClick={() => toggle(video.current)}
          onError={() => setFailed(true)}
          className="max-h-full max-w-full"
        />
      </div>
      <VideoBar video={video} />
    </>
  );
}
