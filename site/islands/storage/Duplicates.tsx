import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Trash2 } from 'lucide-react';
import type { DuplicateGroup, DuplicatesPage } from '#server/documents/duplicates/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as t from '#messages/duplicates.ts';
import * as trash from '#messages/trash.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { useKeptFocus } from '../../lib/keptFocus.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { locationLabel } from '../../lib/search.ts';
import { toast } from '../../lib/toast.ts';
import { trashDays } from '../../lib/trash.ts';
import { toastWithUndo } from '../../lib/undo.ts';
import { useHydrated } from '../../lib/useHydrated.ts';
import { SealBadge } from '../seals/SealBadge.tsx';
import { withStaying, withTimeout } from '../items/staying.ts';
import { undelete } from '../items/undelete.ts';
import { FileLink } from './FileLink.tsx';

/** Groups of files with the same content, each with a button that keeps only one of them. */
export function Duplicates({ onDeleted }: { onDeleted: () => Promise<void> }) {
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: ['storage', 'duplicates'],
      queryFn: ({ pageParam, signal }) =>
        api.get<DuplicatesPage>('/api/documents/duplicates', { query: { cursor: pageParam }, signal }),
      initialPageParam: '',
      getNextPageParam: (page) => page.next_cursor,
    });
  const inBrowser = useHydrated();
  const { area, remember, restore } = useKeptFocus<HTMLUListElement>();
  const groups = (inBrowser ? data : undefined)?.pages.flatMap((page) => page.groups);
  return (
    <Card title={t.title}>
      {error && (
        <Alert onRetry={() => void refetch()} retrying={isFetching}>
          {messageOf(error, t.loadFailed)}
        </Alert>
      )}
      {!groups && !error && (
        <div role="status" aria-busy="true" aria-label={t.loading} className="flex flex-col gap-3 py-1">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      )}
      {groups && <p className="text-muted">{groups.length === 0 ? t.none : t.about}</p>}
      {groups && groups.length > 0 && (
        <ul ref={area} aria-label={t.title} className="mt-2 divide-y divide-line">
          {groups.map((group) => (
            <Group key={group.sha256} group={group} focus={{ remember, restore }} onDeleted={onDeleted} />
          ))}
        </ul>
      )}
      {groups && hasNextPage && (
        <Button className="mt-3" busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </Card>
  );
}

interface GroupProps {
  group: DuplicateGroup;
  focus: Pick<ReturnType<typeof useKeptFocus>, 'remember' | 'restore'>;
  onDeleted: () => Promise<void>;
}

function Group({ group, focus, onDeleted }: GroupProps) {
  const { files, count, bytes, formatted_waste } = group;
  const cache = useQueryClient();
  const name = useId();
  const [first] = files;
  const [chosen, choose] = useState<number | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  // A colleague may have deleted the chosen file.
  const kept = files.find(({ id }) => id === chosen) ?? files.find(({ seal }) => seal) ?? first;
  if (!first || !kept) return null;
  // Sealed files stay, whichever file is kept.
  const others = files.filter(({ id, seal }) => id !== kept.id && !seal);

  async function remove(): Promise<void> {
    if (!kept) return;
    focus.remember();
    const days = trashDays();
    const staying = await withTimeout(documentCalls.previewRemoval(others));
    const stays =
      days > 0 ? t.othersStay(truncateMiddle(kept.name), days) : t.noUndo(truncateMiddle(kept.name));
    // Two clients may each need their own copy, such as of an agreement between them.
    const ofOthers = others.filter(({ client_id }) => client_id !== kept.client_id);
    const question = {
      title: t.question(others.length),
      body: ofOthers.length === 0 ? stays : `${stays} ${t.ofOtherClients(ofOthers.map(locationLabel))}`,
      action: t.remove(others.length),
      danger: true,
    };
    if (!(await confirm(withStaying(question, others.length, staying)))) return;
    setAlert(null);
    try {
      const { done, failed } = await documentCalls.remove(others);
      if (done.length > 0 && days > 0)
        toastWithUndo(trash.moved(done.length), () => void undelete(cache, done));
      else if (done.length > 0) toast.success(t.deleted(done.length));
      if (failed.length > 0) setAlert([t.someFailed(failed.length), failed[0]?.message].join(': '));
    } catch (error) {
      setAlert(messageOf(error, t.deleteFailed));
    }
    await onDeleted();
    focus.restore();
  }

  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <FileGlyph fileType={first.file_type} size={18} className="shrink-0" />
        <p className="tabular min-w-0 flex-1 basis-56 text-sm text-muted">
          {t.copies(count, formatBytes(bytes))} · {t.freedSpace(formatted_waste)}
        </p>
        {others.length > 0 && (
          <Button
            data-needs="documents.delete"
            variant="danger-quiet"
            size="sm"
            icon={<Trash2 aria-hidden size={14} />}
            onPress={() => void remove()}
          >
            {t.keepOne(others.length)}
          </Button>
        )}
      </div>
      {alert && (
        <Alert onDismiss={() => setAlert(null)} className="my-1">
          {alert}
        </Alert>
      )}
      <fieldset className="mt-1 min-w-0">
        <legend className="sr-only">{t.copyToKeep(first.name)}</legend>
        {files.map((file) => (
          <div key={file.id} className="flex min-h-11 items-center gap-3 pl-7 max-sm:pl-0">
            <input
              type="radio"
              name={name}
              data-needs="documents.delete"
              aria-label={`${file.name}, ${locationLabel(file)}`}
              checked={file.id === kept.id}
              onChange={() => choose(file.id)}
              className="size-4 shrink-0 accent-(--accent)"
            />
            <FileLink file={file} />
            {file.seal && <SealBadge seal={file.seal} />}
          </div>
        ))}
      </fieldset>
      {count > files.length && (
        <p className="pl-7 text-sm text-muted">{t.moreCopies(count - files.length)}</p>
      )}
    </li>
  );
}
