import { Suspense, useEffect, useState } from 'react';
import { useStore } from '@nanostores/react';
import type { UserView } from '#server/auth/contract.ts';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { Toaster } from '../../components/Toaster.tsx';
import { $confirmation } from '../../lib/confirm.ts';
import { lazyWithRetry, preload, importWithRetry } from '../../lib/lazyWithRetry.ts';
import { syncPagePermissions } from '../../lib/permissions.ts';
import { startLiveUpdates } from '../../lib/liveUpdates.ts';
import { onProofNeeded } from '../../lib/api.ts';
import { $proofRequest, requestProof } from '../../lib/stepUp.ts';
import { $session, startSession } from '../../lib/session.ts';
import { hasStore, registerShareWorker } from '../../lib/share-target/store.ts';
import { UpdateNotice } from './UpdateNotice.tsx';

// Dialogs are loaded when nothing else is, or there is first something to ask.
const loadConfirm = async () => ({ default: (await import('../../components/ConfirmHost.tsx')).ConfirmHost });
const loadSignIn = async () => ({ default: (await import('../auth/SignInAgain.tsx')).SignInAgain });
const loadIdentity = async () => ({ default: (await import('./ConfirmIdentity.tsx')).ConfirmIdentity });
const ConfirmHost = lazyWithRetry(loadConfirm);
const ConfirmIdentity = lazyWithRetry(loadIdentity);
const SignInAgain = lazyWithRetry(loadSignIn);

/** Takes what other apps share on a phone, and goes on with what nobody could send yet. @returns what ends it. */
function followShares(userId: number): () => void {
  let end: (() => void) | undefined;
  let over = false;
  const begin = async () => {
    await registerShareWorker(userId);
    if (!(await hasStore())) return;
    const { startSending: keepSending } = await importWithRetry(
      () => import('../../lib/share-target/sendQueue.ts'),
    );
    if (!over) end = keepSending(userId);
  };
  // What fails here is said on the page of shared files.
  void begin().catch(() => undefined);
  const installed = () => void registerShareWorker(userId, true).catch(() => undefined);
  addEventListener('appinstalled', installed);
  return () => {
    over = true;
    end?.();
    removeEventListener('appinstalled', installed);
  };
}

/** What every signed-in screen has once: toasts, questions, and the watch over the session. */
export function Host({ viewer, drawnAt }: { viewer: UserView; drawnAt: string }) {
  const session = useStore($session, { ssr: 'initial' });
  const question = useStore($confirmation, { ssr: 'initial' });
  const proof = useStore($proofRequest, { ssr: 'initial' });
  useEffect(() => startSession(viewer), [viewer]);
  useEffect(() => {
    onProofNeeded.call = requestProof;
  }, []);
  useEffect(() => syncPagePermissions(), []);
  // Another page is drawn later; what changed until then was heard here.
  const [since] = useState(drawnAt);
  useEffect(() => startLiveUpdates(viewer.id, since), [viewer.id, since]);
  useEffect(() => preload(loadConfirm, loadSignIn, loadIdentity), []);
  useEffect(() => followShares(viewer.id), [viewer.id]);
  useEffect(() => {
    // Signed out here or in another tab: Back must not lead to this page.
    if (session.status === 'anonymous') location.replace('/login');
  }, [session.status]);
  return (
    <>
      <Toaster />
      <ErrorBoundary fallback={null} resetKey={question} onError={() => question?.answer(false)}>
        <Suspense>{question && <ConfirmHost />}</Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={null} resetKey={session.status}>
        <Suspense>{session.status === 'expired' && <SignInAgain user={session.user} />}</Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={null} resetKey={proof} onError={() => proof?.answer(false)}>
        <Suspense>{proof && <ConfirmIdentity email={viewer.email} onAnswer={proof.answer} />}</Suspense>
      </ErrorBoundary>
      <UpdateNotice />
    </>
  );
}
