import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { PagesView } from '#server/previews/contract.ts';
import { pagesUrl } from '#server/previews/contract.ts';
import * as t from '#messages/preview.ts';
import { api } from '../../lib/api.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { isElsewhere } from './isElsewhere.ts';
import { Loading } from './Loading.tsx';
import { PageField } from './PageField.tsx';
import { PageScroller } from './PageScroller.tsx';
import { ReadFailure } from './ReadFailure.tsx';
import { useSource } from './source.ts';
import { StampedPage } from './StampedPage.tsx';
import { usePageStrip, useWidth } from './usePageStrip.ts';
import { FitWidthButton, RotateButtons, ViewerBar, ZoomButtons } from './ViewerBar.tsx';
import { rotateBy, stepZoom, ZOOM_MAX, ZOOM_MIN } from './zoom.ts';

/** Pixels left free beside a page, and those that it has on a wide screen by itself. */
const [MARGIN, WIDEST] = [32, 960];
/** The ratio of A4, until a page is loaded. */
const DEFAULT_RATIO = Math.SQRT2;

/** A file as page images watermarked with the viewer's name, for users without the permission to download. */
export default function PagesViewer({ item }: { item: ItemView }) {
  const source = useSource(item);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['link', item.id, 'stamped', source, item.modified_at],
    queryFn: () => api.get<PagesView>(pagesUrl(source)),
    retry: false,
    gcTime: 0,
  });
  if (error) return <ReadFailure error={error} item={item} onRetry={() => void refetch()} />;
  if (isPending) return <Loading />;
  return <Strip source={source} count={data.pages} />;
}

function Strip({ source, count }: { source: string; count: number }) {
  const room = useRef<HTMLDivElement>(null);
  const width = useWidth(room);
  const [zoom, setZoom] = useState(1);
  const [rotation, setRotation] = useState(0);
  const [ratio, setRatio] = useState(DEFAULT_RATIO);
  const { page, goTo, follow, holdMiddle } = usePageStrip(room, zoom);
  const shown = Math.max(0, Math.min(width - MARGIN, WIDEST)) * zoom;
  const step = (by: number) => setZoom(stepZoom(zoom, by));
  const rotate = (quarters: number) => {
    holdMiddle(quarters);
    setRotation((now) => rotateBy(now, quarters));
  };

  useDocumentEvent('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event)) return;
    if (event.key === '+' || event.key === '=') step(1);
    else if (event.key === '-') step(-1);
    else if (event.key === '0') setZoom(1);
    else if (event.key === 'r') rotate(1);
    else if (event.key === 'R') rotate(-1);
    else if (event.key === 'Home') goTo(1);
    else if (event.key === 'End') goTo(count);
    else return;
    event.preventDefault();
  });

  return (
    <>
      <PageScroller ref={room} onScroll={follow}>
        {width > 0 &&
          Array.from({ length: count }, (_, index) => (
            <StampedPage
              key={index}
              source={source}
              number={index + 1}
              width={shown}
              rotation={rotation}
              ratio={ratio}
              onRatio={index === 0 ? setRatio : undefined}
            />
          ))}
      </PageScroller>
      <ViewerBar label={t.pages}>
        <PageField page={page} count={count} onGo={goTo} />
        <span className="viewer-break" />
        <ZoomButtons zoom={zoom} least={ZOOM_MIN} most={ZOOM_MAX} onZoom={step} onReset={() => setZoom(1)} />
        {/* The zoom figure does the same where there is no room for both. */}
        <span className="contents @max-md:hidden">
          <FitWidthButton isOn={zoom === 1} onPress={() => setZoom(1)} />
        </span>
        <span className="viewer-break" />
        <RotateButtons onRotate={rotate} />
      </ViewerBar>
    </>
  );
}
