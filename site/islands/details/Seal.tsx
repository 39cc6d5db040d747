import * as t from '#messages/seals.ts';
import { Button } from '../../components/Button.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { Fact, Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** The seal of an item, in its details. Renders nothing for an unsealed item. */
export function SealSection({ item, screen }: PartProps) {
  const { seal } = item;
  if (!seal) return null;
  return (
    <Section
      title={t.sealed}
      aside={
        screen && (
          <Button
            size="sm"
            variant="quiet"
            className="-mr-2.5"
            onPress={() => screen.openDialog({ dialog: 'seal', item })}
          >
            {t.details}
          </Button>
        )
      }
    >
      <dl>
        <Fact term={t.by}>{seal.by}</Fact>
        <Fact term={t.at}>{formatDateTime(seal.at)}</Fact>
        {seal.reason !== null && <Fact term={t.reason}>{seal.reason}</Fact>}
        <Fact term={t.stillPossible}>{t.stillPossibleActions}</Fact>
      </dl>
    </Section>
  );
}
