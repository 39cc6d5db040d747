import { useRef, useState } from 'react';
import * as t from '#messages/preview.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { Failure } from './Failure.tsx';
import type { ViewerProps } from './ImageViewer.tsx';
import { isElsewhere } from './isElsewhere.ts';
import { toggle, VideoBar } from './VideoBar.tsx';

/** Where a video stopped for an error. */
interface Stop {
  time: number;
  playing: boolean;
  speed: number;
}

export function VideoViewer({ item, url, onRetry }: ViewerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const stopped = useRef<Stop | null>(null);

  /** A video is loaded while it plays, which may be longer than its link is valid: it continues there by another one. */
  function onError() {
    const element = video.current;
    const before = stopped.current?.time ?? -Infinity;
    // One that did not even begin, or stops again at the same place, cannot be played.
    if (!element?.readyState || Math.abs(element.currentTime - before) < 1) return setFailed(true);
    stopped.current = {
      time: element.currentTime,
      playing: !element.paused,
      speed: element.playbackRate,
    };
    onRetry();
  }
  function onLoadedMetadata() {
    const element = video.current;
    if (!element || !stopped.current) return;
    element.currentTime = stopped.current.time;
    element.playbackRate = stopped.current.speed;
    if (stopped.current.playing) toggle(element);
  }

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
          onError={onError}
          onLoadedMetadata={onLoadedMetadata}
          className="max-h-full max-w-full"
        />
      </div>
      <VideoBar video={video} />
    </>
  );
}
