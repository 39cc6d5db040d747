import { ChevronRight } from 'lucide-react';
import type { PersonView } from '#server/team/contract.ts';
import { ROLE_NAMES } from '#server/team/contract.ts';
import * as t from '#messages/team.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Badge } from '../../components/Badge.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatDateTime, relativeTime } from '../../lib/format.ts';
import { clientsText } from './person.ts';

const cell = 'px-3 py-2 text-left align-middle';
const head = 'px-3 py-2 text-left text-xs font-medium text-muted';
const handle = 'w-8 pr-3 align-middle';
const wide = 'max-md:hidden';

export interface PeopleProps {
  people: readonly PersonView[];
  /** The server's time in milliseconds, so that server and browser render the same. */
  now: number;
  onOpen: (person: PersonView) => void;
}

/** The people of the firm. On a phone the hidden columns are below the name. */
export function People({ people, now, onOpen }: PeopleProps) {
  return (
    <table className="mt-2 w-full border-collapse text-base">
      <thead>
        <tr className="border-b border-line">
          <th scope="col" className={head}>
            {t.person}
          </th>
          <th scope="col" className={head}>
            {t.role}
          </th>
          <th scope="col" className={cx(head, wide)}>
            {t.clients}
          </th>
          <th scope="col" className={cx(head, wide)}>
            {t.lastSeen}
          </th>
          <th scope="col" className={cx(head, wide)}>
            {t.twoStep}
          </th>
          <th scope="col" className={cx(head, wide)}>
            {t.devices}
          </th>
          <th scope="col" className={handle}>
            <span className="sr-only">{t.details}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr
            key={person.id}
            className={cx(
              'relative border-b border-line hover:bg-hover',
              person.state === 'deactivated' && 'text-muted',
            )}
          >
            <th scope="row" className={cx(cell, 'font-normal')}>
              <span className="flex min-w-0 items-center gap-3">
                <Avatar initials={person.initials} />
                <span className="min-w-0">
                  <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <button
                      type="button"
                      aria-label={t.edit(person.name)}
                      className="rounded-xs text-left font-medium after:absolute after:inset-0 after:cursor-pointer"
                      onClick={() => onOpen(person)}
                    >
                      {person.name}
                    </button>
                    {person.is_you && <Badge>{t.you}</Badge>}
                    {person.state === 'read_only' && <Badge tone="warning">{t.readOnly}</Badge>}
                    {person.state === 'deactivated' && <Badge>{t.deactivated}</Badge>}
                  </span>
                  <span className="block text-sm break-all text-muted">{person.email}</span>
                  <span className="block text-sm text-muted md:hidden">
                    {clientsText(person)} ·{' '}
                    {person.last_seen_at ? relativeTime(person.last_seen_at, now) : t.never}
                  </span>
                </span>
              </span>
            </th>
            <td className={cell}>{ROLE_NAMES[person.role]}</td>
            <td className={cx(cell, wide)}>{clientsText(person)}</td>
            <td
              className={cx(cell, wide)}
              title={person.last_seen_at ? formatDateTime(person.last_seen_at) : undefined}
            >
              {person.last_seen_at ? relativeTime(person.last_seen_at, now) : t.never}
            </td>
            <td className={cx(cell, wide)}>{person.two_step ? t.on : t.off}</td>
            <td className={cx(cell, wide, 'tabular')}>{formatCount(person.devices)}</td>
            <td className={cx(handle, 'text-muted')}>
              <ChevronRight aria-hidden size={16} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
