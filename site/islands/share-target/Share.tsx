import { useEffect, useState } from 'react';
import { useStore } from '@nanostores/react';
import { CircleCheck, Share2 } from 'lucide-react';
import { joinShared } from '#messages/pagesToPdf.ts';
import * as t from '#messages/shareTarget.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { driveHref } from '../../lib/driveLocation.ts';
import type { ShareTarget, SharedFile } from '../../lib/share-target/store.ts';
import { registerShareWorker } from '../../lib/share-target/store.ts';
import {
  $fault,
  $others,
  $sending,
  $sent,
  $shared,
  resumeSending,
  removeAll,
  sendTo,
} from '../../lib/share-target/sendQueue.ts';
import { useDelayed } from '../../lib/useDelayed.ts';
import { PagesDialog } from '../pages-to-pdf/PagesDialog.tsx';
import { isPicture } from '../pages-to-pdf/pages.ts';
import { isAccepted } from '../uploads/check.ts';
import { FileRow } from './FileRow.tsx';
import { TargetFields, placeName } from './TargetFields.tsx';

export interface ShareProps {
  userId: number;
  mayUpload: boolean;
  /** Whether files were shared before the service worker could store them. */
  lost: boolean;
  /** The batch of files shared while nobody was signed in. */
  batch: string | null;
}

const NOWHERE: ShareTarget = { client: null, folder: null };

/** Links to the destination of the files just sent. */
function Sent({ count, to }: { count: number; to: ShareTarget }) {
  return (
    <EmptyState
      icon={<CircleCheck size={24} />}
      title={to.client ? t.doneFor(count, to.client.name, placeName(to)) : t.doneTo(count, placeName(to))}
      actions={
        <>
          <a href={driveHref({ folderId: to.folder?.id ?? null })} className={buttonClass('secondary')}>
            {t.open}
          </a>
          {to.client && (
            <a href={`/clients/${to.client.id}`} className={buttonClass('secondary')}>
              {t.openClient}
            </a>
          )}
        </>
      }
    />
  );
}

/** The files that other apps have shared, to upload for a client or to a folder. */
function ShareIsland({ userId, mayUpload, lost, batch }: ShareProps) {
  const files = useStore($shared, { ssr: 'initial' });
  const others = useStore($others, { ssr: 'initial' });
  const fault = useStore($fault, { ssr: 'initial' });
  const busy = useStore($sending, { ssr: 'initial' }) !== null;
  const sent = useStore($sent, { ssr: 'initial' });
  const [to, setTo] = useState(NOWHERE);
  const [joining, setJoining] = useState<readonly SharedFile[] | null>(null);
  const slow = useDelayed(files === null, 150);

  useEffect(() => {
    void registerShareWorker(userId, true).catch(() => undefined);
    void resumeSending(userId, batch);
    return () => $sent.set(null);
  }, [userId, batch]);

  const message = fault || (lost ? t.filesLost : '') || (mayUpload ? '' : t.uploadNotAllowed);
  const good = files?.filter(({ file }) => isAccepted(file)) ?? [];
  const pictures = good.filter(({ file }) => isPicture(file));
  const bytes = files?.reduce((sum, { file }) => sum + file.size, 0) ?? 0;
  return (
    <div className="mt-3 flex max-w-xl flex-col gap-4">
      {message && <Alert>{message}</Alert>}
      {slow && <LoadingRows />}
      {files?.length === 0 &&
        (sent ? (
          <Sent {...sent} />
        ) : (
          <EmptyState icon={<Share2 size={24} />} title={t.none}>
            {t.noneAbout}
          </EmptyState>
        ))}
      {files && files.length > 0 && (
        <>
          <p className="tabular text-muted">{t.waiting(files.length, formatBytes(bytes))}</p>
          <ul className="divide-y divide-line rounded-lg border border-line">
            {files.map((file) => (
              <FileRow key={file.key} userId={userId} shared={file} busy={busy} />
            ))}
          </ul>
          {mayUpload && good.length > 0 && (
            <>
              <TargetFields userId={userId} value={to} onChange={setTo} />
              <Button
                variant="primary"
                size="lg"
                busy={busy}
                busyLabel={t.sending}
                onPress={() => void sendTo(userId, good, to)}
              >
                {t.sendAll(good.length)}
              </Button>
              {pictures.length > 1 && (
                <Button size="lg" isDisabled={busy} onPress={() => setJoining(pictures)}>
                  {joinShared(pictures.length)}
                </Button>
              )}
            </>
          )}
          <p className="text-sm text-pretty text-muted">{t.kept}</p>
        </>
      )}
      {joining && (
        <PagesDialog
          target={{ parentId: to.folder?.id ?? null, folder: placeName(to) }}
          client={to.client && { id: to.client.id, label: to.client.name }}
          initial={joining.map(({ file }) => file)}
          onSaved={() => void removeAll(userId, joining)}
          onClose={() => setJoining(null)}
        />
      )}
      {others > 0 && <p className="text-sm text-pretty text-muted">{t.otherUsersFiles(others)}</p>}
    </div>
  );
}

export const Share = withErrorBoundary(ShareIsland);
