import { Suspense, lazy } from 'react';
import { useDriveContext } from '../drive/DriveContext.ts';

const Dialogs = lazy(() => import('../drive/dialogs/Dialogs.tsx'));
const Preview = lazy(() => import('../drive/preview/Preview.tsx'));

/** The drive's dialogs and preview, over a list that is not a folder's. */
export function Layers() {
  const { asking, place } = useDriveContext();
  return (
    <Suspense fallback={null}>
      {asking && <Dialogs />}
      {place.previewId !== null && <Preview />}
    </Suspense>
  );
}
