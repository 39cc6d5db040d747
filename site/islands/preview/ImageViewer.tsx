import type { ReactNode } from 'react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { Box } from '#server/recognition/contract.ts';
import * as t from '#messages/preview.ts';
import { Spinner } from '../../components/Spinner.tsx';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { Failure } from './Failure.tsx';
import { isElsewhere } from './isElsewhere.ts';
import { printPictures } from './print.ts';
import { PrintButton, RotateButtons, ViewerBar, ZoomButtons } from './ViewerBar.tsx';
import { HighlightedPicture } from './HighlightedPicture.tsx';
import { useHighlight } from './useHighlight.ts';
import { useGestures } from './useGestures.ts';
import type { Pose } from './zoom.ts';
import { isSideways, keepInSight, rotate, UPRIGHT, ZOOM_MAX, ZOOM_MIN, zoomBy } from './zoom.ts';

export interface ViewerProps {
  item: ItemView;
  url: string;
  onRetry: () => void;
}

export interface ImageViewerProps extends ViewerProps {
  /** Controls before the zoom buttons. */
  before?: ReactNode;
  /** The pictures to print, if they are more than the one shown. */
  prints?: readonly string[];
  /** The page of the file, from 1. */
  page?: number;
  /** The matched words on it. */
  found?: readonly Box[];
}

const NOTHING: readonly Box[] = [];

export function ImageViewer({
  item,
  url,
  onRetry,
  before,
  prints = [url],
  page = 1,
  found = NOTHING,
}: ImageViewerProps) {
  const lit = useHighlight(item.id);
  const room = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const [pose, setPose] = useState<Pose>(UPRIGHT);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const [shownUrl, setShownUrl] = useState(url);
  if (url !== shownUrl) {
    setShownUrl(url);
    setState('loading');
    // The next page of a scan lies as this one does.
    setPose(({ rotation }) => ({ ...UPRIGHT, rotation }));
  }

  const settle = (next: Pose): Pose => {
    const [box, picture] = [room.current, image.current];
    if (!box || !picture) return next;
    return keepInSight(
      next,
      { width: picture.offsetWidth, height: picture.offsetHeight },
      { width: box.clientWidth, height: box.clientHeight },
    );
  };
  const change = (next: (now: Pose) => Pose) => setPose((now) => settle(next(now)));

  const onWheel = useEffectEvent((event: WheelEvent, box: HTMLElement) => {
    event.preventDefault();
    const { left, top, width, height } = box.getBoundingClientRect();
    const point = { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 };
    change((now) => zoomBy(now, event.deltaY < 0 ? 1 : -1, point));
  });
  const failed = state === 'failed';
  useEffect(() => {
    const box = room.current;
    if (!box || failed) return undefined;
    // React's wheel listeners are passive, and the page must not scroll or zoom instead.
    const listen = (event: WheelEvent) => onWheel(event, box);
    box.addEventListener('wheel', listen, { passive: false });
    return () => box.removeEventListener('wheel', listen);
  }, [failed]);

  useDocumentEvent('keydown', (event) => {
    if (isElsewhere(event)) return;
    const act: Record<string, (now: Pose) => Pose> = {
      '+': (now) => zoomBy(now, 1),
      '=': (now) => zoomBy(now, 1),
      '-': (now) => zoomBy(now, -1),
      '0': () => UPRIGHT,
      r: (now) => rotate(now, 1),
      R: (now) => rotate(now, -1),
    };
    const does = act[event.key];
    if (!does || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    change(does);
  });

  const gestures = useGestures(change);

  if (failed) {
    return (
      <Failure
        title={t.imageFailed}
        item={item}
        onRetry={() => {
          setState('loading');
          onRetry();
        }}
      />
    );
  }
  const transform = `translate(${pose.x}px, ${pose.y}px) scale(${pose.zoom}) rotate(${pose.rotation}deg)`;
  const box = lit?.page === page ? lit.box : null;
  return (
    <>
      <div
        ref={room}
        data-picture
        className="viewer-room cursor-grab touch-none active:cursor-grabbing"
        {...gestures}
      >
        {state === 'loading' && <Spinner />}
        <img
          ref={image}
          src={url}
          alt={item.name}
          draggable={false}
          onLoad={() => setState('shown')}
          onError={() => setState('failed')}
          className="viewer-image"
          data-turned={isSideways(pose.rotation)}
          style={{ transform, visibility: state === 'shown' ? 'visible' : 'hidden' }}
        />
        {state === 'shown' && (box !== null || found.length > 0) && (
          <HighlightedPicture image={image} box={box} found={found} transform={transform} />
        )}
      </div>
      <ViewerBar label={t.image}>
        {before}
        <ZoomButtons
          zoom={pose.zoom}
          least={ZOOM_MIN}
          most={ZOOM_MAX}
          onZoom={(steps) => change((now) => zoomBy(now, steps))}
          onReset={() => setPose(UPRIGHT)}
        />
        <span className="viewer-break" />
        <RotateButtons onRotate={(quarters) => change((now) => rotate(now, quarters))} />
        <PrintButton onPress={() => void printPictures([...prints])} />
      </ViewerBar>
    </>
  );
}
