import type { Actor } from '#server/actor.ts';
import { forbidden } from '#server/http/errors.ts';
import type { TeamView } from './contract.ts';
import { createInvitations } from './invitations.ts';
import { createJoining } from './join.ts';
import { createMembers } from './members.ts';
import type { TeamDependencies } from './dependencies.ts';
import { listPeople } from './people.ts';
import { mayManage } from './policy.ts';
import { createSeats } from './seats.ts';

/** The users of a firm, its invitations, and the permissions of each user. */
export function createTeam(dependencies: TeamDependencies) {
  const { db } = dependencies;
  const seats = createSeats(dependencies);
  const invitations = createInvitations({ ...dependencies, seats });
  const { invitation, join } = createJoining({ ...dependencies, seats });

  return {
    ...createMembers({ ...dependencies, seats }),
    invite: invitations.invite,
    sendAgain: invitations.sendAgain,
    revoke: invitations.revoke,
    invitesAdmin: invitations.invitesAdmin,
    invitation,
    join,

    /** @throws {AppError} 403. */
    async view(actor: Actor): Promise<TeamView> {
      if (!mayManage(actor)) throw forbidden();
      const count = await seats.count(db, actor.firmId);
      const [people, open, firm] = await Promise.all([
        listPeople(db, actor, count.allowed, dependencies),
        invitations.list(actor.firmId),
        db('firms').where({ id: actor.firmId }).first('two_step_required_at'),
      ]);
      return {
        people,
        invitations: open,
        seats: count,
        two_step_required: firm.two_step_required_at !== null,
        two_step_from: firm.two_step_required_at,
      };
    },
  };
}
export type Team = ReturnType<typeof createTeam>;
