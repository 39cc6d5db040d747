import { useState } from 'react';
import type { JudgeRow, RequestFile, RequestRow, RequestState, RowState } from '#server/requests/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/requests.ts';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { TextField } from '../../components/TextField.tsx';
import { cx } from '../../lib/cx.ts';
import { formatBytes } from '../../lib/format.ts';
import { useBusy } from '../../lib/useBusy.ts';

const TONES: Record<RowState, BadgeTone> = {
  wanted: 'neutral',
  received: 'accent',
  accepted: 'success',
  returned: 'warning',
  unavailable: 'warning',
};

interface FileLineProps {
  file: RequestFile;
  folderId: number | null;
  requestId: number;
}

function FileLine({ file, folderId, requestId }: FileLineProps) {
  const extension = /\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase() ?? null;
  const notes = [
    formatBytes(file.size),
    file.reason === 'locked' && t.locked,
    file.superseded && t.sentBefore,
    file.item_id === null && (file.is_waiting ? t.notYetInDrive : t.notInDrive),
  ];
  return (
    <li className="flex min-h-7 items-center gap-2">
      <FileGlyph fileType={extension} size={18} className="shrink-0" />
      {file.item_id === null ? (
        <span className="min-w-0 wrap-anywhere text-muted">{file.name}</span>
      ) : (
        <a
          href={`${folderId === null ? '/dashboard' : `/dashboard/folder/${folderId}`}?preview=${file.item_id}&request=${requestId}`}
          className="link min-w-0 wrap-anywhere"
        >
          {file.name}
        </a>
      )}
      {file.is_new && <Badge tone="accent">{t.isNew}</Badge>}
      <span className="shrink-0 text-sm text-muted">{notes.filter(Boolean).join(' · ')}</span>
    </li>
  );
}

/** A requested document with its received files, to accept or send back. */
export function RowItem({
  row,
  requestId,
  folderId,
  requestState,
  onJudge,
  onTyping,
}: {
  row: RequestRow;
  requestId: number;
  folderId: number | null;
  requestState: RequestState;
  /** @returns whether it was saved. */
  onJudge: (how: JudgeRow) => Promise<boolean>;
  /** Called with whether a reason is typed that is not sent. */
  onTyping: (typing: boolean) => void;
}) {
  const [returnReason, setReason] = useState<string | null>(null);
  const setReturnReason = (reason: string | null) => {
    setReason(reason);
    onTyping(reason !== null && reason.trim() !== '');
  };
  const { busy, run } = useBusy();
  const judge = (how: JudgeRow) =>
    run(async () => {
      // After a failure the typed reason stays, for another attempt.
      if (await onJudge(how)) setReturnReason(null);
    });
  // Photos that are not one PDF yet, or a file that waits for its virus scan.
  const isArriving =
    (row.state === 'wanted' || row.state === 'returned') && row.files.some((file) => file.is_waiting);
  // What was sent back by mistake can be accepted after all.
  const mayJudge = requestState === 'open' && ['received', 'unavailable', 'returned'].includes(row.state);
  const mayUndo = requestState !== 'closed' && row.state === 'accepted';
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        {/* Level with the buttons, which are higher on a touch screen. */}
        <div className={cx('min-w-0 flex-1', (mayJudge || mayUndo) && 'pointer-coarse:pt-2.5')}>
          <p className="flex flex-wrap items-baseline gap-x-2 font-medium break-words">
            {row.name}{' '}
            {isArriving ? (
              <Badge tone="accent">{t.arriving}</Badge>
            ) : (
              <Badge tone={TONES[row.state]}>{t.rowStates[row.state]}</Badge>
            )}
          </p>
          {(row.reason || row.state === 'unavailable') && (
            <p className="text-sm text-muted">{row.reason ? t.reasonGiven(row.reason) : t.noReason}</p>
          )}
        </div>
        {mayJudge && (
          <>
            <Button
              size="sm"
              busy={busy && returnReason === null}
              aria-label={t.acceptRow(row.name)}
              onPress={() => void judge({ state: 'accepted', reason: '' })}
            >
              {t.accept}
            </Button>
            {row.state !== 'returned' && (
              <Button
                size="sm"
                variant="quiet"
                aria-label={t.sendBackRow(row.name)}
                onPress={() => setReturnReason('')}
              >
                {t.sendBack}
              </Button>
            )}
          </>
        )}
        {mayUndo && (
          <Button
            size="sm"
            variant="quiet"
            busy={busy}
            aria-label={t.undoAcceptRow(row.name)}
            onPress={() => void judge({ state: 'received', reason: '' })}
          >
            {t.undoAccept}
          </Button>
        )}
      </div>
      {row.files.length > 0 && (
        <ul className="mt-1 flex flex-col">
          {row.files.map((file) => (
            <FileLine key={file.id} file={file} folderId={folderId} requestId={requestId} />
          ))}
        </ul>
      )}
      {returnReason !== null && (
        <form
          className="mt-2 flex flex-wrap items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void judge({ state: 'returned', reason: returnReason });
          }}
        >
          <TextField
            label={t.reason}
            description={t.reasonHint}
            className="min-w-56 flex-1"
            autoFocus
            maxLength={500}
            value={returnReason}
            onChange={setReturnReason}
            onKeyDown={(event) => {
              // With a typed reason the dialog asks before it closes.
              if (event.key === 'Escape' && returnReason.trim() === '') setReturnReason(null);
              else event.continuePropagation();
            }}
          />
          {/* Beside the field, whose label is above it and whose hint is below it. */}
          <div className="flex gap-2 sm:mt-6.5">
            <Button onPress={() => setReturnReason(null)}>{common.cancel}</Button>
            <Button type="submit" variant="primary" busy={busy} isDisabled={returnReason.trim() === ''}>
              {t.sendBack}
            </Button>
          </div>
        </form>
      )}
    </li>
  );
}
