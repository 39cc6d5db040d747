import { memo } from 'react';
import { Folder, RotateCw, X } from 'lucide-react';
import { formatBytes } from '#server/text/format-bytes.ts';
import { extensionOf } from '#server/text/extension.ts';
import * as t from '#messages/uploadPanel.ts';
import * as uploads from '#messages/uploads.ts';
import * as common from '#messages/common.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { highlightHref } from '../../lib/search.ts';
import { duration, rate } from './pace.ts';
import { PanelRow } from '../../components/PanelRow.tsx';
import type { Row } from './rows.ts';
import { hasFailed } from './summary.ts';
import { queue } from './uploads.ts';

/** `1.2 MB of 4 MB · 3 MB/s · 2 s left`, as far as it is known. A file of which all bytes are sent has yet to be saved by the server. */
function detail(row: Row): string {
  const { status, size, loaded, speed, eta, count, done, error, note, folder, preparing, versionOf } = row;
  const files = count === null || count === 0 ? '' : t.filesDone(done, count);
  const joinParts = (...parts: (string | null)[]) => parts.filter(Boolean).join(' · ');
  if (status === 'error' && versionOf !== null)
    return uploads.failedFor(t.newVersionOf(versionOf), error ?? uploads.failed);
  if (status === 'error') return error ?? uploads.failed;
  if (versionOf !== null && status === 'completed')
    return note === null ? t.newVersionOf(versionOf) : t.sameAsNow(versionOf);
  if (status === 'completed')
    return (
      joinParts(
        files || (folder ? t.emptyFolder : ''),
        row.alreadyThere > 0 ? uploads.notUploadedAgain(row.alreadyThere) : null,
        row.copies > 0 ? uploads.alsoElsewhere(row.copies) : null,
        note,
      ) || formatBytes(size)
    );
  if (preparing) return count === null ? t.preparing : uploads.preparingFiles(count);
  if (status === 'queued') return joinParts(files, t.waiting(formatBytes(size)));
  if (!files && size > 0 && loaded >= size) return t.finishing;
  const amount = files || t.bytesDone(formatBytes(loaded), formatBytes(size));
  const pace = speed === null ? '' : rate(speed);
  return joinParts(amount, pace, eta === null ? '' : t.timeLeft(duration(eta)));
}

const isSameRow = (a: Row, b: Row): boolean =>
  (Object.keys(a) as (keyof Row)[]).every((key) => key === 'ids' || a[key] === b[key]) &&
  a.ids.join() === b.ids.join();

/** Memoised, since a report of progress changes one row and leaves the others as they are. */
export const UploadRow = memo(Line, (before, after) => isSameRow(before.row, after.row));

function Line({ row }: { row: Row }) {
  const { name, ids, status, progress, retryable, folder, copy } = row;
  return (
    <PanelRow
      icon={
        folder ? (
          <Folder aria-hidden size={20} className="text-muted" />
        ) : (
          <FileGlyph fileType={extensionOf(name)} size={20} />
        )
      }
      name={name}
      detail={detail(row)}
      failed={hasFailed(row)}
      progress={status === 'uploading' ? progress : null}
      done={status === 'completed'}
      data={{ 'data-status': row.preparing ? 'preparing' : status }}
      actions={
        <>
          {status === 'error' && retryable && (
            <IconButton label={t.retryNamed(name)} size="sm" onPress={() => queue.retry(ids)}>
              <RotateCw aria-hidden size={16} />
            </IconButton>
          )}
          {status === 'error' && (
            <IconButton label={t.removeFromList(name)} size="sm" onPress={() => queue.clear(ids)}>
              <X aria-hidden size={16} />
            </IconButton>
          )}
          {(status === 'queued' || status === 'uploading') && (
            <IconButton label={t.cancelNamed(name)} size="sm" onPress={() => queue.cancel(ids)}>
              <X aria-hidden size={16} />
            </IconButton>
          )}
        </>
      }
    >
      {copy && (
        <a
          href={highlightHref(copy)}
          className="block text-xs break-words text-muted underline underline-offset-2 hover:text-text"
        >
          {t.alreadyIn(copy.path || common.myDrive, copy.name)}
        </a>
      )}
    </PanelRow>
  );
}
