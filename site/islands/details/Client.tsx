import * as t from '#messages/details.ts';
import { Button } from '../../components/Button.tsx';
import { clientHref } from '../../lib/search.ts';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** The item's client, with a button to change it. */
export const Client = ({ item, screen }: PartProps) => (
  <Section
    title={t.client}
    aside={
      screen && (
        <Button
          data-needs="documents.write"
          variant="quiet"
          size="sm"
          aria-label={t.changeClientOf(item.name)}
          className="-mr-2.5"
          onPress={() => screen.openDialog({ dialog: 'client', items: [item] })}
        >
          {t.changeClient}
        </Button>
      )
    }
  >
    {item.client ? (
      <a href={clientHref(item.client.id)} className="link break-words">
        {item.client.name}
      </a>
    ) : (
      <p className="text-muted">{t.noClient}</p>
    )}
  </Section>
);
