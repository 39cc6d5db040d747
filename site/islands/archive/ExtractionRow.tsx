import { Suspense, useState } from 'react';
import { RotateCw, X } from 'lucide-react';
import type { ExtractionView } from '#server/archive/contract.ts';
import { isOver } from '#server/jobs/contract.ts';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import * as t from '#messages/archive.ts';
import { extract } from '#messages/items.ts';
import { Button } from '../../components/Button.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { openPage } from '../../lib/navigation.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { PanelRow } from '../../components/PanelRow.tsx';
import { START_FAILED, extractions } from './extractions.ts';
import { CANCELLING, needsAttention } from './store.ts';

const PasswordDialog = lazyWithRetry(async () => ({
  default: (await import('./PasswordDialog.tsx')).PasswordDialog,
}));
const SkippedDialog = lazyWithRetry(async () => ({
  default: (await import('./SkippedDialog.tsx')).SkippedDialog,
}));

const NEEDS_PASSWORD = new Set(['password_needed', 'wrong_password']);

/** One extraction in the panel. */
export function ExtractionRow({ one: extraction }: { one: ExtractionView }) {
  const { id, file_name: name, status, message, code, skipped_count, folder_id } = extraction;
  const [asking, setAsking] = useState<'password' | 'skipped' | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const failed = status === 'failed';
  const over = isOver(status);
  const locked = failed && NEEDS_PASSWORD.has(code ?? '');
  const attempt = (work: Promise<void>) => {
    setRefused(null);
    work.catch((error: unknown) => setRefused(messageOf(error, START_FAILED)));
  };
  const link = { variant: 'quiet', size: 'sm', className: 'text-accent-text' } as const;

  return (
    <PanelRow
      icon={<FileGlyph fileType="zip" size={20} />}
      name={name}
      detail={refused ?? message}
      // A missing password is not shown as an error.
      failed={refused !== null || (failed && code !== 'password_needed')}
      progress={over ? null : extraction.progress}
      label={t.extracting(name)}
      done={status === 'completed' && !needsAttention(extraction)}
      data={{ 'data-extraction': id, 'data-status': status }}
      actions={
        <>
          {failed && !locked && (
            <IconButton label={t.retry(name)} size="sm" onPress={() => attempt(extractions.retry(id))}>
              <RotateCw aria-hidden size={16} />
            </IconButton>
          )}
          {over ? (
            <IconButton label={t.removeFromList(name)} size="sm" onPress={() => extractions.dismiss(id)}>
              <X aria-hidden size={16} />
            </IconButton>
          ) : (
            <IconButton
              label={t.cancelNamed(name)}
              size="sm"
              isDisabled={message === CANCELLING}
              onPress={() => attempt(extractions.cancel(id))}
            >
              <X aria-hidden size={16} />
            </IconButton>
          )}
        </>
      }
    >
      {over && (
        <div className="-ml-2.5 flex flex-wrap">
          {status === 'completed' && folder_id !== null && (
            <Button {...link} onPress={() => openPage(driveHref({ folderId: folder_id }))}>
              {t.openFolder}
            </Button>
          )}
          {locked && (
            <Button {...link} onPress={() => setAsking('password')}>
              {t.enterPassword}
            </Button>
          )}
          {skipped_count > 0 && (
            <Button {...link} onPress={() => setAsking('skipped')}>
              {t.showSkipped}
            </Button>
          )}
        </div>
      )}
      <ErrorBoundary fallback={null} resetKey={asking} onError={() => setAsking(null)}>
        <Suspense>
          {asking === 'password' && (
            <PasswordDialog
              name={name}
              note={code === 'wrong_password' ? message : undefined}
              action={extract}
              onPassword={(password) => extractions.retry(id, password)}
              onClose={() => setAsking(null)}
            />
          )}
          {asking === 'skipped' && (
            <SkippedDialog name={name} {...extraction} onClose={() => setAsking(null)} />
          )}
        </Suspense>
      </ErrorBoundary>
    </PanelRow>
  );
}
