import { useRef } from 'react';
import type { JudgeRow, RequestFile, RequestRow, RequestState, RowState } from '#server/requests/contract.ts';
import * as t from '#messages/requests.ts';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { cx } from '../../lib/cx.ts';
import { FileItem } from './FileItem.tsx';
import { ReasonForm } from './ReasonForm.tsx';
import type { JudgingProps } from './useJudging.ts';
import { useJudging } from './useJudging.ts';

const TONES: Record<RowState, BadgeTone> = {
  wanted: 'neutral',
  received: 'accent',
  accepted: 'success',
  returned: 'warning',
  unavailable: 'warning',
};

export interface RowItemProps extends JudgingProps {
  row: RequestRow;
  requestId: number;
  folderId: number | null;
  requestState: RequestState;
  /** `onJudge` and `onTyping` for one file. */
  onJudgeFile: (file: RequestFile, how: JudgeRow) => Promise<boolean>;
  onTypingFor: (file: RequestFile, reason: string) => void;
}

/** A requested document with its received files, to accept or send back. */
export function RowItem({
  row,
  requestId,
  folderId,
  requestState,
  onJudgeFile,
  onTypingFor,
  ...props
}: RowItemProps) {
  const askButton = useRef<HTMLButtonElement>(null);
  const judging = useJudging(props, askButton);
  // Photos that are not one PDF yet, or a file that waits for its virus scan.
  const isArriving =
    (row.state === 'wanted' || row.state === 'returned') && row.files.some((file) => file.is_waiting);
  // What was sent back by mistake can be accepted after all.
  const mayJudge = requestState === 'open' && ['received', 'unavailable', 'returned'].includes(row.state);
  const isAccepted = row.state === 'accepted';
  const mayUndo = requestState !== 'closed' && isAccepted;
  // Of several files each that was sent back has a button of its own.
  const mayUndoReturn = row.state === 'returned' && (row.reason !== null || row.files.length === 1);
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
        {/* The same buttons before and after, so that they keep the focus. */}
        {(mayJudge || mayUndo) && (
          <Button
            size="sm"
            variant={isAccepted ? 'quiet' : 'secondary'}
            busy={judging.busy && !judging.asking}
            aria-label={isAccepted ? t.undoAcceptRow(row.name) : t.acceptRow(row.name)}
            onPress={isAccepted ? judging.undo : judging.accept}
          >
            {isAccepted ? t.undoAccept : t.accept}
          </Button>
        )}
        {/* The form for the reason has a button of this name. */}
        {mayJudge && !judging.asking && (row.state !== 'returned' || mayUndoReturn) && (
          <Button
            ref={askButton}
            size="sm"
            variant="quiet"
            aria-label={mayUndoReturn ? t.undoReturnRow(row.name) : t.sendBackRow(row.name)}
            onPress={mayUndoReturn ? judging.undo : judging.ask}
          >
            {mayUndoReturn ? t.undoReturn : t.sendBack}
          </Button>
        )}
      </div>
      {row.files.length > 0 && (
        <ul className="mt-1 flex flex-col">
          {row.files.map((file) => (
            <FileItem
              key={file.id}
              file={file}
              folderId={folderId}
              requestId={requestId}
              // The reason for the whole document is above.
              reason={file.judged_reason === row.reason ? null : file.judged_reason}
              // A document of one file is judged as a whole.
              mayJudge={mayJudge && row.files.length > 1}
              isJudgedByRow={file.judged === row.state && (isAccepted || row.files.length === 1)}
              onJudge={(how) => onJudgeFile(file, how)}
              onTyping={(reason) => onTypingFor(file, reason)}
            />
          ))}
        </ul>
      )}
      {judging.asking && <ReasonForm {...judging.form} />}
    </li>
  );
}
