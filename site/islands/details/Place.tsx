import { ChevronRight } from 'lucide-react';
import * as common from '#messages/common.ts';
import * as t from '#messages/details.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** The item's path, each folder a link. */
export function Place({ details }: PartProps) {
  const above = [{ id: 0, name: common.myDrive }, ...(details?.above ?? [])];
  return (
    <Section title={t.place} loading={details === undefined}>
      <ol className="flex flex-wrap items-center gap-x-1 gap-y-0.5">
        {above.map(({ id, name }, index) => (
          <li key={id} className="flex min-w-0 items-center gap-1">
            {index > 0 && <ChevronRight aria-hidden size={12} className="shrink-0 text-muted" />}
            <a href={driveHref({ folderId: id || null })} className="link min-w-0 break-words">
              {name}
            </a>
          </li>
        ))}
      </ol>
    </Section>
  );
}
