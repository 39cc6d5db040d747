import { useEffect } from 'react';
import { useStore } from '@nanostores/react';
import { RefreshCw, X } from 'lucide-react';
import * as t from '#messages/shell.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import type { Outdated } from '../../lib/update.ts';
import { $outdated, watchVersion } from '../../lib/update.ts';
import { isBusy } from '../uploads/record.ts';
import { queue } from '../uploads/uploads.ts';
import { useThrottledStore } from '../../lib/useThrottledStore.ts';

const TEXTS: Record<Outdated, string> = {
  update: t.outdated,
  load: t.partNotLoaded,
  fault: t.partBroken,
};
const RENDER_INTERVAL_MS = 1000;

/** The notice at the bottom of the screen that offers to reload an outdated or broken page. */
export function UpdateNotice() {
  const outdated = useStore($outdated, { ssr: 'initial' });
  const uploading = useThrottledStore(queue.$uploads, RENDER_INTERVAL_MS).some(isBusy);
  useEffect(watchVersion, []);
  if (!outdated) return null;
  return (
    <div
      role="alert"
      data-outdated={outdated}
      // Keeps the notice clickable while a dialog makes the rest of the page inert.
      data-react-aria-top-layer="true"
      className="fixed bottom-6 left-1/2 z-[60] flex w-[min(40rem,calc(100vw-1.5rem))] -translate-x-1/2 items-center gap-3 rounded-lg border border-line bg-raised px-4 py-3 shadow-dialog max-md:bottom-[calc(var(--bottombar-height)+env(safe-area-inset-bottom)+0.75rem)]"
    >
      <RefreshCw aria-hidden size={18} className="shrink-0 text-accent-text" />
      <p className="min-w-0 flex-1 text-pretty">
        {TEXTS[outdated]}
        {uploading && ` ${t.uploadsRunning}`}
      </p>
      {/* While uploads are running, the browser asks before reloading. */}
      <Button variant="primary" size="sm" onPress={() => location.reload()}>
        {common.reload}
      </Button>
      <IconButton label={t.later} size="sm" onPress={() => $outdated.set(null)}>
        <X aria-hidden size={16} />
      </IconButton>
    </div>
  );
}
