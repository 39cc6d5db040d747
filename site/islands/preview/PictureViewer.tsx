import { useState } from 'react';
import { soughtAt } from '../../lib/place.ts';
import type { ViewerProps } from './ImageViewer.tsx';
import { ImageViewer } from './ImageViewer.tsx';
import { usePlaces } from './scanWords.ts';

/** A picture that the browser shows, with the words lit up that it was found by. */
export function PictureViewer(props: ViewerProps) {
  const [sought] = useState(() => soughtAt(new URL(location.href)));
  return <ImageViewer {...props} found={usePlaces(props.item, sought, 1)} />;
}
