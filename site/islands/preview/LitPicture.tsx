import type { RefObject } from 'react';
import { useLayoutEffect, useState } from 'react';
import type { Box } from '#server/recognition/contract.ts';
import { litStyle } from './useLit.ts';

export interface LitPictureProps {
  image: RefObject<HTMLImageElement | null>;
  box: Box;
  /** As the picture's. */
  transform: string;
}

/** Marks a place on a picture that is moved, zoomed and turned: one of its pixels is a point. */
export function LitPicture({ image, box, transform }: LitPictureProps) {
  const [size, setSize] = useState({ width: 0, height: 0, scale: 0 });
  useLayoutEffect(() => {
    const picture = image.current;
    if (!picture) return undefined;
    const measure = () => {
      const { offsetWidth: width, offsetHeight: height, naturalWidth } = picture;
      setSize({ width, height, scale: naturalWidth > 0 ? width / naturalWidth : 0 });
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
      <span className="page-lit" style={litStyle(box, size.scale)} />
    </div>
  );
}
