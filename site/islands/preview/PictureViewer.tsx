import type { ViewerProps } from './ImageViewer.tsx';
import { ImageViewer } from './ImageViewer.tsx';
import { usePlaces } from './scanWords.ts';
import { useSought } from './useSought.ts';

/** A picture in a format that browsers display, with the matched words highlighted. */
export function PictureViewer(props: ViewerProps) {
  const sought = useSought();
  return <ImageViewer {...props} found={usePlaces(props.item, sought, 1)} />;
}
