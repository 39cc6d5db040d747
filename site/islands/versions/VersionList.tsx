import { Suspense, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { VersionView } from '#server/documents/versions/contract.ts';
import { newVersion } from '#messages/items.ts';
import * as t from '#messages/versions.ts';
import { Alert } from '../../components/Alert.tsx';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { Button } from '../../components/Button.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { useDelayed } from '../../lib/useDelayed.ts';
import { useMay } from '../../lib/useMay.ts';
import { chooseVersion } from '../uploads/chooseVersion.ts';
import { VersionUploads } from '../uploads/VersionUploads.tsx';
import { KeepDialog } from './KeepDialog.tsx';
import { momentsIn } from './moments.ts';
import { useVersions } from './useVersions.ts';
import { VersionRow } from './VersionRow.tsx';

const VersionPreview = lazyWithRetry(() => import('./VersionPreview.tsx'));

export interface VersionListProps {
  item: ItemView;
  /** The number of earlier versions to show, with a button for the rest. */
  few?: { most: number; onAll: () => void };
}

/** All versions of a file, the current one first. Needs ItemScreen around it. */
export default function VersionList({ item, few }: VersionListProps) {
  const { list, alert, setAlert, ...actions } = useVersions(item);
  const may = useMay();
  const [comparing, compare] = useState(false);
  const [keeping, setKeeping] = useState<VersionView | null>(null);
  const [shown, show] = useState<VersionView | null>(null);
  const late = useDelayed(list.isPending, 150);
  const { data } = list;
  const earlier = data?.earlier.slice(0, few?.most) ?? [];
  const momentOf = momentsIn(data);

  const row = (version: VersionView, current: VersionView) => {
    const earlier = version.id !== null && {
      preview: () => show(version),
      download: () => void actions.download(version),
      ...(!item.seal && { restore: () => void actions.restore(version) }),
      remove: () => void actions.remove(version),
    };
    const on = {
      ...earlier,
      keep: () => setKeeping(version),
      stopKeeping: () => void actions.stopKeeping(version),
    };
    return (
      <VersionRow
        key={version.id ?? 0}
        version={version}
        moment={momentOf(version)}
        current={current}
        comparing={comparing}
        stays={data?.stays ?? null}
        on={on}
      />
    );
  };

  return (
    <div className="flex flex-col gap-2">
      {alert && <Alert onDismiss={() => setAlert(null)}>{alert}</Alert>}
      {list.error && (
        <Alert onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {messageOf(list.error, t.loadFailed)}
        </Alert>
      )}
      {list.isPending && (
        <div
          role="status"
          aria-busy="true"
          aria-label={t.loading}
          className="flex min-h-24 flex-col gap-3 py-2"
        >
          {late && (
            <>
              <Skeleton className="h-4 w-4/5" />
              <Skeleton className="h-4 w-3/5" />
            </>
          )}
        </div>
      )}
      {data && (
        <>
          <section aria-label={t.current}>
            <header className="flex min-h-8 items-center gap-2">
              <h3 className="min-w-0 flex-1 text-sm font-semibold text-muted">{t.current}</h3>
              {may('documents.write') && !item.seal && (
                <Button variant="quiet" size="sm" onPress={() => chooseVersion(item, setAlert)}>
                  {newVersion}
                </Button>
              )}
            </header>
            <VersionUploads id={item.id} />
            <ul>{row(data.current, data.current)}</ul>
          </section>
          <section aria-label={t.earlier}>
            <header className="flex min-h-8 items-center gap-2 border-t border-line pt-2">
              <h3 className="min-w-0 flex-1 text-sm font-semibold text-muted">{t.earlier}</h3>
              {data.earlier.length > 0 && (
                <Button
                  variant="quiet"
                  size="sm"

                  onPress={() => compare(!comparing)}
                >
                  {comparing ? t.stopComparing : t.compare}
                </Button>
              )}
            </header>
            {data.earlier.length === 0 ? (
              <p className="py-2 text-muted">{t.none}</p>
            ) : (
              <ul className="divide-y divide-line">{earlier.map((version) => row(version, data.current))}</ul>
            )}
            {few && earlier.length < data.earlier.length && (
              <Button variant="quiet" size="sm" className="-ml-2.5" onPress={few.onAll}>
                {t.showAll(data.earlier.length)}
              </Button>
            )}
          </section>
          {data.earlier.length > 0 && (
            <p className="border-t border-line pt-2 text-sm text-muted">
              {data.stays === null ? t.rule(data.days, data.most) : t.allStay(data.stays)}{' '}
              {data.bytes > 0 && t.storageTaken(data.formatted_bytes)}
            </p>
          )}
        </>
      )}
      {keeping && (
        <KeepDialog
          version={keeping}
          onKeep={(word) => actions.keep(keeping, word)}
          onClose={() => setKeeping(null)}
        />
      )}
      <ErrorBoundary fallback={null} resetKey={shown} onError={() => show(null)}>
        <Suspense fallback={null}>
          {shown && (
            <VersionPreview
              item={item}
              version={shown}
              moment={momentOf(shown)}
              onDownload={() => void actions.download(shown)}
              onClose={() => show(null)}
            />
          )}
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}
