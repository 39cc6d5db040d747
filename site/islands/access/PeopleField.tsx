import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import * as t from '#messages/access.ts';
import { Button } from '../../components/Button.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { accessKey, calls } from './calls.ts';

export interface PeopleFieldProps {
  clientId: number;
  /** Render the dialog outside of the surrounding form, which would else be submitted with the dialog's form. */
  onChoose: () => void;
  className?: string;
}

/** The people who work for a client, in the client's dialog. */
export function PeopleField({ clientId, onChoose, className }: PeopleFieldProps) {
  const id = useId();
  const of = { kind: 'client', id: clientId } as const;
  const { data, error } = useQuery({
    queryKey: accessKey(of),
    queryFn: ({ signal }) => calls.access(of, signal),
    staleTime: 0,
  });
  return (
    <section aria-labelledby={id} className={className}>
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line px-3 py-2">
        <div className="min-w-48 flex-1">
          <h3 id={id} className="text-sm font-medium">
            {t.whoWorks}
          </h3>
          <p className="text-sm break-words text-muted" aria-live="polite">
            {error
              ? messageOf(error, t.accessFailed)
              : data
                ? t.names(data.map(({ name }) => name))
                : t.loadingPeople}
          </p>
        </div>
        <Button data-needs="team.manage" size="sm" onPress={onChoose}>
          {t.choosePeople}
        </Button>
      </div>
    </section>
  );
}
