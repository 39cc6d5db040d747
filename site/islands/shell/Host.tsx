import { Suspense, useEffect, useState } from 'react';
import { useStore } from '@nanostores/react';
import type { UserView } from '#server/auth/contract.ts';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { Toaster } from '../../components/Toaster.tsx';
import { $confirmation } from '../../lib/confirm.ts';
import { lazyWithRetry, preload, importWithRetry } from '../../lib/lazyWithRetry.ts';
import { isOverlayOpen, isTypedInto } from '../../lib/overlay.ts';
import { syncPagePermissions } from '../../lib/permissions.ts';
import { startLiveUpdates } from '../../lib/liveUpdates.ts';
import { onProofNeeded } from '../../lib/api.ts';
import { $proofRequest, requestProof } from './stepUp.ts';
import { $session, startSession } from '../../lib/session.ts';
import { hasStore, registerShareWorker } from '../../lib/share-target/store.ts';
import { leaveUnsaved } from '../../lib/unsaved.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { UpdateNotice } from './UpdateNotice.tsx';

// The dialogs are loaded when the browser is idle, or when they are first needed.
const loadConfirm = async () => ({ default: (await import('../../components/ConfirmHost.tsx')).ConfirmHost });
const loadSignIn = async () => ({ default: (await import('../auth/SignInAgain.tsx')).SignInAgain });
const loadReplaced = async () => ({ default: (await import('../auth/Replaced.tsx')).Replaced });
const loadIdentity = async () => ({ default: (await import('./ConfirmIdentity.tsx')).ConfirmIdentity });
const loadShortcuts = async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog });
const ConfirmHost = lazyWithRetry(loadConfirm);
const ConfirmIdentity = lazyWithRetry(loadIdentity);
const SignInAgain = lazyWithRetry(loadSignIn);
const Replaced = lazyWithRetry(loadReplaced);
const ShortcutsDialog = lazyWithRetry(loadShortcuts);

/** Receives files shared by other apps on a phone and resumes pending uploads. @returns a function that stops it. */
function receiveSharedFiles(userId: number): () => void {
  let end: (() => void) | undefined;
  let stopped = false;
  const begin = async () => {
    await registerShareWorker(userId);
    if (!(await hasStore())) return;
    const { startSending } = await importWithRetry(() => import('../../lib/share-target/sendQueue.ts'));
    if (!stopped) end = startSending(userId);
  };
  // The page of shared files reports failures.
  void begin().catch(() => undefined);
  const installed = () => void registerShareWorker(userId, true).catch(() => undefined);
  addEventListener('appinstalled', installed);
  return () => {
    stopped = true;
    end?.();
    removeEventListener('appinstalled', installed);
  };
}

/** Once per signed-in screen: toasts, dialogs and the session watch. */
export function Host({ viewer, drawnAt }: { viewer: UserView; drawnAt: string }) {
  const session = useStore($session, { ssr: 'initial' });
  const question = useStore($confirmation, { ssr: 'initial' });
  const proof = useStore($proofRequest, { ssr: 'initial' });
  useEffect(() => startSession(viewer), [viewer]);
  useEffect(() => {
    onProofNeeded.call = requestProof;
  }, []);
  useEffect(() => syncPagePermissions(), []);
  // The first page's time: this island persists across navigations and has received all events since.
  const [since] = useState(drawnAt);
  useEffect(() => startLiveUpdates(viewer.id, since), [viewer.id, since]);
  useEffect(() => preload(loadConfirm, loadSignIn, loadReplaced, loadIdentity), []);
  useEffect(() => receiveSharedFiles(viewer.id), [viewer.id]);
  useEffect(() => {
    // Signed out in this tab: `replace`, so that Back does not return to this page.
    if (session.status !== 'anonymous') return;
    leaveUnsaved();
    location.replace('/login');
  }, [session.status]);
  /** The path of the screen whose shortcuts are shown. */
  const [shown, showShortcuts] = useState<string | null>(null);
  useDocumentEvent('keydown', (event) => {
    if (event.key !== '?' || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.defaultPrevented || isTypedInto(document.activeElement) || isOverlayOpen('.preview-layer'))
      return;
    event.preventDefault();
    showShortcuts(location.pathname);
  });
  return (
    <>
      <Toaster />
      <ErrorBoundary fallback={null} resetKey={question} onError={() => question?.answer(false)}>
        <Suspense>{question && <ConfirmHost />}</Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={null} resetKey={session.status}>
        <Suspense>
          {(session.status === 'expired' || session.status === 'signed-out') && (
            <SignInAgain
              key={session.status}
              user={session.user}
              signedOut={session.status === 'signed-out'}
            />
          )}
          {session.status === 'replaced' && <Replaced user={session.user} by={session.by} />}
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={null} resetKey={proof} onError={() => proof?.answer(false)}>
        <Suspense>{proof && <ConfirmIdentity email={viewer.email} onAnswer={proof.answer} />}</Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={null} resetKey={shown} onError={() => showShortcuts(null)}>
        <Suspense>
          {shown !== null && <ShortcutsDialog path={shown} onClose={() => showShortcuts(null)} />}
        </Suspense>
      </ErrorBoundary>
      <UpdateNotice />
    </>
  );
}
