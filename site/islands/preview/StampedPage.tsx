import { useEffect, useRef, useState } from 'react';
import { RotateCw } from 'lucide-react';
import { pageUrl } from '#server/previews/contract.ts';
import * as t from '#messages/preview.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { PageSheet } from './PageSheet.tsx';
import { isSideways } from './zoom.ts';

export interface StampedPageProps {
  /** The URL of the file or the version. */
  source: string;
  /** From 1. */
  number: number;
  /** Of the rotated page, in pixels. */
  width: number;
  /** Degrees, clockwise. */
  rotation: number;
  /** Height divided by width of the upright page; the first page's ratio until this page is loaded. */
  ratio: number;
  onRatio: ((ratio: number) => void) | undefined;
}

/** A page image, loaded near the viewport; loading is cancelled when the page is scrolled past. */
export function StampedPage({ source, number, width, rotation, ratio, onRatio }: StampedPageProps) {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [ownRatio, setOwnRatio] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const isLoaded = ownRatio !== null;

  useEffect(() => {
    const element = box.current;
    if (!element || isLoaded) return undefined;
    const root = element.closest('[data-pages]');
    const observer = new IntersectionObserver(([seen]) => setNear(seen?.isIntersecting ?? false), {
      root,
      rootMargin: '60% 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLoaded]);

  const again = () => {
    setFailed(false);
    setAttempt(attempt + 1);
  };

  const shape = ownRatio ?? ratio;
  const sheetWidth = isSideways(rotation) ? width / shape : width;
  const waiting = !isLoaded && (
    <div className="page-wait">
      {failed ? (
        <>
          <p role="alert">{t.pageFailed(number)}</p>
          <Button icon={<RotateCw aria-hidden size={16} />} onPress={again}>
            {common.retry}
          </Button>
        </>
      ) : (
        <Spinner />
      )}
    </div>
  );
  return (
    <PageSheet
      ref={box}
      number={number}
      width={sheetWidth}
      height={sheetWidth * shape}
      rotation={rotation}
      over={waiting}
    >
      {(near || isLoaded) && !failed && (
        <img
          key={attempt}
          // Never cached: the watermark contains the viewer's name and the current time.
          src={`${pageUrl(source, number)}?${attempt}`}
          alt={t.pageNumber(number)}
          draggable={false}
          className="size-full"
          onError={() => setFailed(true)}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            setOwnRatio(naturalHeight / naturalWidth);
            onRatio?.(naturalHeight / naturalWidth);
          }}
        />
      )}
    </PageSheet>
  );
}
