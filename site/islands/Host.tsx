import { useEffect } from 'react';
import { useStore } from '@nanostores/react';
import type { UserView } from '#server/auth/contract.ts';
import { ConfirmHost } from '../components/ConfirmHost.tsx';
import { Toaster } from '../components/Toaster.tsx';
import { $session, startSession } from '../lib/session.ts';
import { SignInAgain } from './SignInAgain.tsx';

/** What every signed-in screen has once: toasts, questions, and the watch over the session. */
export function Host({ viewer }: { viewer: UserView }) {
  const session = useStore($session, { ssr: 'initial' });
  useEffect(() => startSession(viewer), [viewer]);
  useEffect(() => {
    // Signed out here or in another tab: Back must not lead to this page.
    if (session.status === 'anonymous') location.replace('/login');
  }, [session.status]);
  return (
    <>
      <Toaster />
      <ConfirmHost />
      {session.status === 'expired' && <SignInAgain user={session.user} />}
    </>
  );
}
