import type { InvitationView } from '#server/team/contract.ts';
import { ROLE_NAMES } from '#server/team/contract.ts';
import * as t from '#messages/team.ts';
import { Button } from '../../components/Button.tsx';
import { confirm } from '../../lib/confirm.ts';
import { formatDate } from '../../lib/format.ts';
import type { KeptFocus } from '../../lib/keptFocus.ts';
import { useKeptFocus } from '../../lib/keptFocus.ts';
import { useBusy } from '../../lib/useBusy.ts';
import { useSendsEmail } from '../../lib/useSendsEmail.ts';
import { calls } from './calls.ts';

export interface InvitationsProps {
  invitations: readonly InvitationView[];
  run: (work: Promise<unknown>, message: string) => Promise<void>;
  /** Sends an invitation again. */
  onSend: (invitation: InvitationView) => Promise<void>;
}

export function Invitations({ invitations, ...props }: InvitationsProps) {
  const { area, ...focus } = useKeptFocus<HTMLElement>();
  return (
    <section ref={area} aria-labelledby="invitations" className="mt-8">
      <h2 id="invitations" className="mb-2 font-semibold">
        {t.invitations}
      </h2>
      <ul className="divide-y divide-line rounded-md border border-line">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} focus={focus} {...props} />
        ))}
      </ul>
    </section>
  );
}

function InvitationRow({
  invitation,
  focus: { remember, restore },
  run,
  onSend,
}: Omit<InvitationsProps, 'invitations'> & {
  invitation: InvitationView;
  focus: Pick<KeptFocus, 'remember' | 'restore'>;
}) {
  const canSend = useSendsEmail();
  const sending = useBusy();
  const { id, email, role, client_scope, clients, state, invited_by, expires_at } = invitation;
  async function revoke(): Promise<void> {
    remember();
    const sure = await confirm({
      title: t.revokeQuestion,
      body: t.revokeAbout(email),
      action: t.revoke,
      danger: true,
    });
    if (!sure) return;
    await run(calls.revoke(id), t.revoked);
    restore();
  }

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2.5">
      <div className="min-w-48 flex-1">
        <p className="font-medium break-all">{email}</p>
        <p className="text-sm text-muted">
          {ROLE_NAMES[role]} · {client_scope === 'all' ? t.allClients : t.someClients(clients)} ·{' '}
          {state === 'open'
            ? t.invitedUntil(invited_by, formatDate(expires_at))
            : t.invitationEnded(formatDate(expires_at))}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          size="sm"
          busy={sending.busy}
          aria-label={(canSend ? t.sendAgainTo : t.newLinkFor)(email)}
          onPress={() => void sending.run(() => onSend(invitation))}
        >
          {canSend ? t.sendAgain : t.newLink}
        </Button>
        <Button size="sm" aria-label={t.revokeOf(email)} onPress={() => void revoke()}>
          {t.revoke}
        </Button>
      </div>
    </li>
  );
}
