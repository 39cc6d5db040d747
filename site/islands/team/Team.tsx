import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { UserPlus, Users } from 'lucide-react';
import type { InvitationView, PersonView, TeamView } from '#server/team/contract.ts';
import * as t from '#messages/team.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { Checkbox } from '../../components/Checkbox.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Screen } from '../../components/Screen.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { queryClientFor, refresh } from '../../lib/cache.ts';
import { restoreFocus } from '../../lib/keptFocus.ts';
import { isoDateInIndia, formatCount, formatDate } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { useClock } from '../../lib/useClock.ts';
import { calls } from './calls.ts';
import { DeactivateDialog } from './DeactivateDialog.tsx';
import { Invitations } from './Invitations.tsx';
import { InvitationLinks } from './InvitationLinks.tsx';
import type { InvitationLink } from './InvitationLinks.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { People } from './People.tsx';
import { isAtLimit } from './person.ts';
import { PersonDialog } from './PersonDialog.tsx';
import { StayDialog } from './StayDialog.tsx';
import { TwoStepDayDialog } from './TwoStepDayDialog.tsx';

const KEY = ['team'] as const;

type Open =
  | { kind: 'invite' | 'stay' | 'two-step' }
  | { kind: 'person' | 'leave'; person: PersonView }
  | { kind: 'links'; links: readonly InvitationLink[] };

export interface TeamProps {
  userId: number;
  first: TeamView;
  /** The server's time in milliseconds. */
  now: number;
}

function TeamIsland({ userId, ...props }: TeamProps) {
  const [cache] = useState(() => queryClientFor(userId, [{ key: KEY, data: props.first }]));
  return (
    <QueryClientProvider client={cache}>
      <TeamScreen {...props} />
    </QueryClientProvider>
  );
}

function TeamScreen({ first, now: start }: Omit<TeamProps, 'userId'>) {
  const now = useClock(start);
  const cache = useQueryClient();
  const {
    data: view,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => calls.view(signal),
    initialData: first,
    // No event reports when people were last seen.
    refetchOnWindowFocus: 'always',
  });
  const [open, setShown] = useState<Open | null>(null);
  /** What had the focus before the dialogs, of which one may lead to another. */
  const opener = useRef<Element | null>(null);
  const setOpen = (next: Open | null) => {
    if (open === null) opener.current = document.activeElement;
    setShown(next);
  };
  useEffect(() => {
    if (open !== null) return;
    restoreFocus(() => (opener.current instanceof HTMLElement ? opener.current : null));
  }, [open]);
  const { people, invitations, seats } = view;
  /** The current data of a person, which a colleague may have changed since. */
  const latest = (person: PersonView) => people.find(({ id }) => id === person.id) ?? person;

  /** Waits for a call, reports the result in a toast and reloads the team. */
  async function run(work: Promise<unknown>, message: string): Promise<void> {
    try {
      await work;
      toast.success(message);
    } catch (failure) {
      toast.error(messageOf(failure, t.failed));
    }
    await refresh(cache);
  }
  const showLinks = (links: readonly InvitationLink[]) => {
    setOpen({ kind: 'links', links });
    void refresh(cache);
  };
  async function sendAgain({ id, email }: InvitationView): Promise<void> {
    const sending = calls.sendAgain(id);
    const sent = await sending.catch(() => null);
    if (sent?.link) showLinks([{ email, link: sent.link }]);
    else await run(sending, t.sentAgain);
  }
  const done = (message: string) => {
    setOpen(null);
    toast.success(message);
    void refresh(cache);
  };
  const saved = (message: string) => {
    toast.success(message);
    void refresh(cache);
  };
  const close = () => setOpen(null);
  const isUpcoming = view.two_step_from !== null && Date.parse(view.two_step_from) > now;
  const alone = people.length === 1 && invitations.length === 0;

  return (
    <>
      <Screen
        title={t.team}
        note={t.seatsOf(formatCount(seats.people + seats.invited), formatCount(seats.allowed))}
        page
        bar={
          <Button
            variant="primary"
            icon={<UserPlus aria-hidden size={16} />}
            onPress={() => setOpen({ kind: 'invite' })}
          >
            {t.invite}
          </Button>
        }
        alerts={
          <>
            {error && (
              <Alert onRetry={() => void refetch()} retrying={isFetching}>
                {messageOf(error, t.loadFailed)}
              </Alert>
            )}
            {people.filter(isAtLimit).map(({ id, name, daily_downloads }) => (
              <Alert key={id} tone="warning">
                {t.limitReached(name, daily_downloads ?? 0)}
              </Alert>
            ))}
            {seats.people > seats.allowed && (
              <Alert tone="warning">
                <p>{t.overSeatLimit(seats.people, seats.allowed)}</p>
                <p className="mt-2 flex flex-wrap gap-2">
                  <Button size="sm" onPress={() => setOpen({ kind: 'stay' })}>
                    {t.chooseStaying}
                  </Button>
                  <a href="/subscription-plans" className={buttonClass('secondary', 'sm')}>
                    {t.seePlans}
                  </a>
                </p>
              </Alert>
            )}
          </>
        }
      >
        <People people={people} now={now} onOpen={(person) => setOpen({ kind: 'person', person })} />
        {alone && (
          <EmptyState icon={<Users size={24} />} title={t.onlyMember}>
            {t.onlyMemberAbout}
          </EmptyState>
        )}
        {invitations.length > 0 && <Invitations invitations={invitations} run={run} onSend={sendAgain} />}
        <Checkbox
          className="mt-8 mb-6"
          isSelected={view.two_step_required}
          description={isUpcoming ? t.requiredFrom(formatDate(view.two_step_from)) : t.requireTwoStepAbout}
          onChange={(required) =>
            required ? setOpen({ kind: 'two-step' }) : void run(calls.requireTwoStep(false), t.twoStepFree)
          }
        >
          {t.requireTwoStep}
        </Checkbox>
        {isUpcoming && (
          <Button size="sm" className="-mt-3 mb-6" onPress={() => setOpen({ kind: 'two-step' })}>
            {t.changeDay}
          </Button>
        )}
      </Screen>
      {open?.kind === 'invite' && (
        <InviteDialog seats={seats} onClose={close} onDone={done} onLinks={showLinks} />
      )}
      {open?.kind === 'links' && <InvitationLinks links={open.links} onClose={close} />}
      {open?.kind === 'two-step' && (
        <TwoStepDayDialog
          from={view.two_step_from}
          now={now}
          onClose={close}
          onChoose={async (day) => {
            await calls.requireTwoStep(true, day);
            done(day === isoDateInIndia(now) ? t.twoStepRequired : t.twoStepRequiredFrom);
          }}
        />
      )}
      {open?.kind === 'stay' && (
        <StayDialog people={people} allowed={seats.allowed} onClose={close} onDone={done} />
      )}
      {open?.kind === 'person' && (
        <PersonDialog
          person={latest(open.person)}
          onClose={close}
          onDone={done}
          onSaved={saved}
          onLeave={() => setOpen({ kind: 'leave', person: open.person })}
        />
      )}
      {open?.kind === 'leave' && (
        <DeactivateDialog person={latest(open.person)} people={people} onClose={close} onDone={done} />
      )}
    </>
  );
}

export const Team = withErrorBoundary(TeamIsland);
