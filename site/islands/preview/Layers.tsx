import { Suspense } from 'react';
import { Boundary } from '../../components/Boundary.tsx';
import { lazyPart } from '../../lib/lazyPart.ts';
import { useDriveContext } from '../drive/DriveContext.ts';

const Dialogs = lazyPart(() => import('../items/dialogs/Dialogs.tsx'));
const Preview = lazyPart(() => import('./Preview.tsx'));

/** The drive's dialogs and preview, over a list that is not a folder's. */
export function Layers() {
  const { asking, ask, go, place } = useDriveContext();
  return (
    <>
      <Boundary fallback={null} again={asking} onFailed={() => ask(null)}>
        <Suspense fallback={null}>{asking && <Dialogs />}</Suspense>
      </Boundary>
      <Boundary
        fallback={null}
        again={place.previewId}
        onFailed={() => go({ ...place, previewId: null }, { replace: true })}
      >
        <Suspense fallback={null}>{place.previewId !== null && <Preview />}</Suspense>
      </Boundary>
    </>
  );
}
