import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccessPerson } from '#server/access/contract.ts';
import { whoHasAccess } from '#messages/items.ts';
import * as t from '#messages/access.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { accessKey, calls } from './calls.ts';
import { PersonLine } from './PersonLine.tsx';

/** People listed before "show all". */
const MAX_SHOWN = 5;

export interface PeopleCardProps {
  clientId: number;
  first: AccessPerson[];
  onChoose: () => void;
}

/** The people who work for a client, on the client's page. */
export function PeopleCard({ clientId, first, onChoose }: PeopleCardProps) {
  const of = { kind: 'client', id: clientId } as const;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: accessKey(of),
    queryFn: ({ signal }) => calls.access(of, signal),
    initialData: first,
  });
  const [all, showAll] = useState(false);
  const shown = all || data.length <= MAX_SHOWN + 1 ? data : data.slice(0, MAX_SHOWN);
  return (
    <Card
      title={t.whoWorks}
      aside={
        <Button data-needs="team.manage" size="sm" onPress={onChoose}>
          {t.choosePeople}
        </Button>
      }
    >
      {error && (
        <Alert onRetry={() => void refetch()} retrying={isFetching} className="mb-2">
          {messageOf(error, t.accessFailed)}
        </Alert>
      )}
      <ul aria-label={whoHasAccess} className="divide-y divide-line">
        {shown.map((person) => (
          <li key={person.id} className="flex min-h-11 py-1.5">
            <PersonLine person={person} />
          </li>
        ))}
      </ul>
      {shown.length < data.length && (
        <Button variant="quiet" size="sm" className="mt-1" onPress={() => showAll(true)}>
          {t.showAll(data.length)}
        </Button>
      )}
    </Card>
  );
}
