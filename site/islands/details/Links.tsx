import { useQuery } from '@tanstack/react-query';
import * as t from '#messages/sharing.ts';
import { formatDate } from '../../lib/format.ts';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';
import { calls } from '../sharing/calls.ts';

/** The shared links of an item. */
export function LinksSection({ item }: PartProps) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['shares', 'of', item.id],
    queryFn: ({ signal }) => calls.list({ item: item.id }, signal),
  });
  const open = data?.filter(({ state }) => state === 'open') ?? [];
  if (data && open.length === 0) return null;
  return (
    <Section
      title={t.links}
      aside={
        <a href={`/shared?item=${item.id}`} className="link text-sm">
          {t.manage}
        </a>
      }
      loading={data === undefined}
      error={error}
      onRetry={() => void refetch()}
      retrying={isFetching}
    >
      <ul>
        {open.map(({ id, audience, recipients, mode, expires_on, opened }) => (
          <li key={id} className="py-1 text-sm">
            <p className="break-words">
              {audience === 'anyone' ? t.openTo.anyone : t.openTo.named(recipients.map(({ email }) => email))}
            </p>
            <p className="text-muted">
              {[
                t.modes[mode],
                t.until(formatDate(expires_on)),
                opened === 0 ? t.neverOpened : t.openedTimes(opened),
              ].join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
