import { Suspense, lazy, useEffect } from 'react';
import { useStore } from '@nanostores/react';
import type { UserView } from '#server/auth/contract.ts';
import { Toaster } from '../../components/Toaster.tsx';
import { $question } from '../../lib/confirm.ts';
import { $session, startSession } from '../../lib/session.ts';

// Dialogs are loaded when there is first something to ask.
const ConfirmHost = lazy(async () => ({
  default: (await import('../../components/ConfirmHost.tsx')).ConfirmHost,
}));
const SignInAgain = lazy(async () => ({ default: (await import('../account/SignInAgain.tsx')).SignInAgain }));

/** What every signed-in screen has once: toasts, questions, and the watch over the session. */
export function Host({ viewer }: { viewer: UserView }) {
  const session = useStore($session, { ssr: 'initial' });
  const asking = useStore($question, { ssr: 'initial' }) !== null;
  useEffect(() => startSession(viewer), [viewer]);
  useEffect(() => {
    // Signed out here or in another tab: Back must not lead to this page.
    if (session.status === 'anonymous') location.replace('/login');
  }, [session.status]);
  return (
    <>
      <Toaster />
      <Suspense>
        {asking && <ConfirmHost />}
        {session.status === 'expired' && <SignInAgain user={session.user} />}
      </Suspense>
    </>
  );
}
