import type { ComponentProps, ReactNode } from 'react';
import { isSideways } from './zoom.ts';

export interface PageSheetProps extends Omit<ComponentProps<'div'>, 'className' | 'style'> {
  /** The page's number, from 1. */
  number: number;
  /** The sheet's size before it is rotated, in pixels. */
  width: number;
  height: number;
  /** Degrees, clockwise. */
  rotation: number;
  /** Shown upright over the sheet. */
  over?: ReactNode;
}

/** A page in the strip. What is drawn on its sheet, placed as on the upright page, is rotated with it. */
export function PageSheet({ number, width, height, rotation, over, children, ...box }: PageSheetProps) {
  // Rotated about a whole pixel, letters stay sharp.
  const size = { width: Math.round(width), height: Math.round(height) };
  return (
    <div
      {...box}
      data-page={number}
      className="pdf-page"
      style={isSideways(rotation) ? { width: size.height, height: size.width } : size}
    >
      <div className="page-sheet" data-main-rotation={rotation} style={size}>
        {children}
      </div>
      {over}
    </div>
  );
}
