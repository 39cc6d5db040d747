import { useState } from 'react';
import { Failure } from './Failure.tsx';
import type { ViewerProps } from './ImageViewer.tsx';

/** The browser's own controls: they know the keys, subtitles and full screen of its platform. */
export function VideoViewer({ item, url, onRetry }: ViewerProps) {
  const [failed, setFailed] = useState(false);
  if (failed) {
    return (
      <Failure
        title="Failed to load video"
        item={item}
        onRetry={() => {
          setFailed(false);
          onRetry();
        }}
      />
    );
  }
  return (
    <div className="viewer-room px-14">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- clients' recordings come without captions */}
      <video
        src={url}
        controls
        preload="metadata"
        aria-label={item.name}
        onError={() => setFailed(true)}
        className="max-h-full max-w-full"
      />
    </div>
  );
}
