import type { InvitationView } from '#server/team/contract.ts';
import { ROLE_NAMES } from '#server/team/contract.ts';
import * as t from '#messages/team.ts';
import { Button } from '../../components/Button.tsx';
import { confirm } from '../../lib/confirm.ts';
import { formatDate } from '../../lib/format.ts';
import { sendsEmail } from '../../lib/sendsEmail.ts';
import { useHydrated } from '../../lib/useHydrated.ts';
import { calls } from './calls.ts';

export interface InvitationsProps {
  invitations: readonly InvitationView[];
  run: (work: Promise<unknown>, message: string) => Promise<void>;
  /** Sends an invitation again. */
  onSend: (invitation: InvitationView) => void;
}

export function Invitations({ invitations, run, onSend }: InvitationsProps) {
  const canSend = useHydrated() ? sendsEmail() : true;
  async function revoke({ id, email }: InvitationView): Promise<void> {
    const sure = await confirm({
      title: t.revokeQuestion,
      body: t.revokeAbout(email),
      action: t.revoke,
      danger: true,
    });
    if (sure) await run(calls.revoke(id), t.revoked);
  }

  return (
    <section aria-labelledby="invitations" className="mt-8">
      <h2 id="invitations" className="mb-2 font-semibold">
        {t.invitations}
      </h2>
      <ul className="divide-y divide-line rounded-md border border-line">
        {invitations.map((invitation) => (
          <li key={invitation.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2.5">
            <div className="min-w-48 flex-1">
              <p className="font-medium break-all">{invitation.email}</p>
              <p className="text-sm text-muted">
                {ROLE_NAMES[invitation.role]} ·{' '}
                {invitation.client_scope === 'all' ? t.allClients : t.someClients(invitation.clients)} ·{' '}
                {invitation.state === 'open'
                  ? t.invitedUntil(invitation.invited_by, formatDate(invitation.expires_at))
                  : t.invitationEnded(formatDate(invitation.expires_at))}
              </p>
            </div>
            <div className="flex gap-2">
              <Button
                size="sm"
                aria-label={(canSend ? t.sendAgainTo : t.newLinkFor)(invitation.email)}
                onPress={() => onSend(invitation)}
              >
                {canSend ? t.sendAgain : t.newLink}
              </Button>
              <Button
                size="sm"
                aria-label={t.revokeOf(invitation.email)}
                onPress={() => void revoke(invitation)}
              >
                {t.revoke}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
