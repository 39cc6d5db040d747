import { useQuery } from '@tanstack/react-query';
import { you } from '#messages/access.ts';
import * as t from '#messages/details.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { accessKey, calls } from '../access/calls.ts';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** Users listed by name; the others are only counted. */
const NAMED = 4;

/** The users who can see the item; the reasons are in the dialog. */
export function Access({ item, screen }: PartProps) {
  const of = { kind: 'item', id: item.id } as const;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: accessKey(of),
    queryFn: ({ signal }) => calls.access(of, signal),
  });
  const named = (data ?? []).slice(0, data?.length === NAMED + 1 ? NAMED + 1 : NAMED);
  const rest = (data?.length ?? 0) - named.length;
  return (
    <Section
      title={t.access}
      loading={data === undefined}
      error={error}
      onRetry={() => void refetch()}
      retrying={isFetching}
    >
      <ul>
        {named.map(({ id, name, initials, is_you }) => (
          <li key={id} className="flex min-h-8 items-center gap-2.5">
            <Avatar initials={initials} size="sm" />
            <span className="min-w-0 truncate">{name}</span>
            {is_you && <Badge>{you}</Badge>}
          </li>
        ))}
        {rest > 0 && <li className="py-1 text-sm text-muted">{t.andOthers(rest)}</li>}
      </ul>
      {screen && data && (
        <Button
          variant="quiet"
          size="sm"
          className="-ml-2.5"
          onPress={() => screen.openDialog({ dialog: 'access', item })}
        >
          {t.allAccess}
        </Button>
      )}
    </Section>
  );
}
