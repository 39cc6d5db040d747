import * as t from '#messages/labels.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { Button } from '../../components/Button.tsx';
import { LabelChip } from '../../components/LabelChip.tsx';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** An item's labels. */
export const Labels = ({ item, screen }: PartProps) => <LabelsOf items={[item]} screen={screen} />;

/** The labels that all of the items have, with a button to change them. */
export function LabelsOf({ items, screen }: { items: readonly ItemView[] } & Pick<PartProps, 'screen'>) {
  const [first, ...rest] = items;
  const shared = (first?.labels ?? []).filter(({ id }) =>
    rest.every(({ labels }) => labels?.some((label) => label.id === id)),
  );
  return (
    <Section
      title={rest.length > 0 ? t.common : t.title}
      aside={
        screen && (
          <Button
            data-needs="documents.write"
            variant="quiet"
            size="sm"
            {...(rest.length === 0 && { 'aria-label': t.changeOf(first?.name ?? '') })}
            className="-mr-2.5"
            onPress={() => screen.openDialog({ dialog: 'labels', items })}
          >
            {t.change}
          </Button>
        )
      }
    >
      {shared.length === 0 ? (
        <p className="text-muted">{t.none}</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5 py-1">
          {shared.map((label) => (
            <li key={label.id} className="flex max-w-full">
              <LabelChip label={label} className="max-w-full!" />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
