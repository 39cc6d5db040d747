import type { ViewerProps } from './ImageViewer.tsx';
import { ImageViewer } from './ImageViewer.tsx';
import { usePlaces } from './scanWords.ts';
import { useSought } from './useSought.ts';

/** A picture that the browser shows, with the words lit up that it was found by. */
export function PictureViewer(props: ViewerProps) {
  const sought = useSought();
  return <ImageViewer {...props} found={usePlaces(props.item, sought, 1)} />;
}
