import { Suspense, useEffect, useState } from 'react';
import { useStore } from '@nanostores/react';
import { computed } from 'nanostores';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { lazyWithRetry, preload } from '../../lib/lazyWithRetry.ts';
import { extractions } from '../archive/extractions.ts';
import { watchExtractions } from './watchExtractions.ts';
import { conflictQuestions } from '../name-conflicts/questions.ts';
import { guardDrops } from './guardDrops.ts';
import { $interrupted, watchInterrupted } from './interrupted.ts';
import { refusedFiles } from './refused.ts';
import { loadComparison, queue, watchTab } from './uploads.ts';

const loadPanel = async () => ({ default: (await import('./UploadPanel.tsx')).UploadPanel });
const UploadPanel = lazyWithRetry(loadPanel);
const NameConflictsDialog = lazyWithRetry(() => import('../name-conflicts/NameConflictsDialog.tsx'));
const RefusedDialog = lazyWithRetry(() => import('./RefusedDialog.tsx'));

const $hasRows = computed([queue.$uploads, extractions.$extractions, $interrupted], (...lists) =>
  lists.some((list) => list.length > 0),
);

/** Once per signed-in screen: the uploads and extractions of this tab, their dialogs and their panel. */
function UploadsHost() {
  const hasRows = useStore($hasRows, { ssr: 'initial' });
  const conflict = useStore(conflictQuestions.$current, { ssr: 'initial' });
  const refused = useStore(refusedFiles.$current, { ssr: 'initial' });
  // Stays once it was shown, so that a collapsed panel is still collapsed for the next uploads.
  const [panel, setPanel] = useState(false);
  if (hasRows && !panel) setPanel(true);
  const [announcement, announce] = useState('');
  useEffect(watchTab, []);
  useEffect(watchExtractions, []);
  useEffect(watchInterrupted, []);
  useEffect(guardDrops, []);
  useEffect(() => preload(loadPanel, loadComparison), []);
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ErrorBoundary fallback={null} resetKey={refused ?? conflict} onError={answerUnasked}>
        <Suspense>
          {refused ? (
            <RefusedDialog key={refused.id} {...refused} />
          ) : (
            conflict && <NameConflictsDialog key={conflict.id} {...conflict} />
          )}
        </Suspense>
      </ErrorBoundary>
      {/* If it fails, the shell shows a notice, and uploads continue without the panel. */}
      <ErrorBoundary fallback={null}>
        <Suspense>{panel && <UploadPanel announce={announce} />}</Suspense>
      </ErrorBoundary>
    </>
  );
}

// If it fails, the shell shows a notice, and uploads continue.
export const Uploads = withErrorBoundary(UploadsHost, null);

/** Answers for dialogs that did not load: keep both files, and upload the files that are not refused. */
function answerUnasked(): void {
  refusedFiles.$current.get()?.answer(true);
  const pending = conflictQuestions.$current.get();
  pending?.answer(pending.question.conflicts.map(() => 'keep'));
}
