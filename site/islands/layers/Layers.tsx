import { Suspense } from 'react';
import { Boundary } from '../../components/Boundary.tsx';
import { lazyPart } from '../../lib/lazyPart.ts';
import { useInBrowser } from '../../lib/useInBrowser.ts';
import { useItemScreen } from '../items/ItemListModel.ts';

const Dialogs = lazyPart(() => import('./Dialogs.tsx'));
const Preview = lazyPart(() => import('../preview/Preview.tsx'));

const REPLACED = { replace: true };

/** The dialogs and the preview over a screen of items. */
export function Layers() {
  const { asking, ask, previewId, preview } = useItemScreen();
  // Drawn late by the server, it would need a script within the page, which the page's policy forbids.
  const inBrowser = useInBrowser();
  return (
    <>
      <Boundary fallback={null} again={asking} onFailed={() => ask(null)}>
        <Suspense fallback={null}>{asking && <Dialogs />}</Suspense>
      </Boundary>
      <Boundary fallback={null} again={previewId} onFailed={() => preview(null, REPLACED)}>
        <Suspense fallback={null}>{previewId !== null && inBrowser && <Preview />}</Suspense>
      </Boundary>
    </>
  );
}
