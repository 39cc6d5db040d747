import { useState } from 'react';
import { Check, RotateCw, X } from 'lucide-react';
import type { ExtractionView } from '#server/archive/contract.ts';
import { Button } from '../../components/Button.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { ProgressBar } from '../../components/ProgressBar.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { cx } from '../../lib/cx.ts';
import { LeftOutDialog } from './LeftOutDialog.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { extractions } from './extractions.ts';
import { asksForReading, isOver } from './store.ts';

const NEEDS_PASSWORD = new Set(['password_needed', 'wrong_password']);

/** One extraction in the panel. */
export function ExtractionRow({ one }: { one: ExtractionView }) {
  const { id, file_name: name, status, progress, message, code, skipped_count: left } = one;
  const [asking, setAsking] = useState<'password' | 'left-out' | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const failed = status === 'failed';
  const locked = failed && NEEDS_PASSWORD.has(code ?? '');
  const attempt = (work: Promise<void>) => {
    setRefused(null);
    work.catch((error: unknown) =>
      setRefused(messageOf(error, 'Failed to start ZIP extraction. Please try again.')),
    );
  };

  return (
    <li
      className="flex items-center gap-3 border-b border-line py-2 pr-2 pl-4 last:border-b-0"
      data-extraction={id}
      data-status={status}
    >
      <FileGlyph fileType="zip" size={20} />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0">
          <MiddleCut text={name} />
        </p>
        <p className={cx('tabular text-xs', failed || refused ? 'text-danger-text' : 'text-muted')}>
          {refused ?? message}
        </p>
        {!isOver(one) && <ProgressBar value={progress} label={`Extracting ${name}`} className="mt-1" />}
        {locked && (
          <Button variant="secondary" size="sm" className="mt-1" onPress={() => setAsking('password')}>
            Enter password
          </Button>
        )}
        {isOver(one) && left > 0 && (
          <Button variant="quiet" size="sm" className="mt-1 -ml-2" onPress={() => setAsking('left-out')}>
            Show what was left out
          </Button>
        )}
      </div>
      {status === 'completed' && !asksForReading(one) && (
        <span className="flex size-7 items-center justify-center text-success-text">
          <Check size={18} aria-label="Completed" />
        </span>
      )}
      {failed && !locked && (
        <IconButton label={`Retry ${name}`} size="sm" onPress={() => attempt(extractions.retry(id))}>
          <RotateCw aria-hidden size={16} />
        </IconButton>
      )}
      {isOver(one) ? (
        <IconButton label={`Remove ${name} from the list`} size="sm" onPress={() => extractions.dismiss(id)}>
          <X aria-hidden size={16} />
        </IconButton>
      ) : (
        <IconButton label={`Cancel ${name}`} size="sm" onPress={() => attempt(extractions.cancel(id))}>
          <X aria-hidden size={16} />
        </IconButton>
      )}
      {asking === 'password' && <PasswordDialog one={one} onClose={() => setAsking(null)} />}
      {asking === 'left-out' && <LeftOutDialog one={one} onClose={() => setAsking(null)} />}
    </li>
  );
}
