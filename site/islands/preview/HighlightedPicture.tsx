import type { RefObject } from 'react';
import { useLayoutEffect, useState } from 'react';
import type { Box } from '#server/recognition/contract.ts';
import { litStyle } from './useHighlight.ts';

export interface HighlightedPictureProps {
  image: RefObject<HTMLImageElement | null>;
  /** The highlighted region; null for none. */
  box: Box | null;
  /** The matched words. */
  found: readonly Box[];
  /** The picture's transform. */
  transform: string;
}

/** Points along the longer side of a picture, which is treated as an A4 page. */
const A4 = 842;

/** Highlights regions on a picture that is panned, zoomed and rotated. */
export function HighlightedPicture({ image, box, found, transform }: HighlightedPictureProps) {
  const [size, setSize] = useState({ width: 0, height: 0, scale: 0 });
  useLayoutEffect(() => {
    const picture = image.current;
    if (!picture) return undefined;
    const measure = () => {
      const { offsetWidth: width, offsetHeight: height } = picture;
      setSize({ width, height, scale: Math.max(width, height) / A4 });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(picture);
    measure();
    return () => observer.disconnect();
  }, [image]);
  return (
    <div
      className="pointer-events-none absolute"
      style={{ width: size.width, height: size.height, transform }}
    >
      {found.map((place) => (
        <span key={place.join(' ')} className="page-found" style={litStyle(place, size.scale)} />
      ))}
      {box && <span className="page-lit" style={litStyle(box, size.scale)} />}
    </div>
  );
}
