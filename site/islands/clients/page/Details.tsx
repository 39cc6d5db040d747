import { Copy } from 'lucide-react';
import type { ClientField, ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { Button } from '../../../components/Button.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { copy } from '../copy.ts';
import { LABELS, shownValue } from '../form.ts';
import { Card } from '../../../components/Card.tsx';

const NUMBERS = ['pan', 'gstin', 'tan', 'cin'] as const;
const TEXTS = ['phone', 'email', 'language', 'city', 'born_on', 'group_name', 'address', 'notes'] as const;

/** The client's details; empty fields are left out. */
export function Details({ client, onEdit }: { client: ClientView; onEdit: () => void }) {
  const numbers = NUMBERS.filter((field) => client[field]);
  // English is what nobody has chosen otherwise.
  const texts = TEXTS.filter((field) => client[field] && !(field === 'language' && client[field] === 'en'));
  return (
    <Card
      title={t.details}
      aside={
        <Button data-needs="clients.write" size="sm" onPress={onEdit}>
          {t.edit}
        </Button>
      }
    >
      {numbers.length + texts.length === 0 && <p className="text-muted">{t.onlyName}</p>}
      <dl className="flex flex-col divide-y divide-line">
        {numbers.map((field) => (
          <Row key={field} field={field}>
            <span className="tabular min-w-0 font-medium break-all">{client[field]}</span>
            <IconButton
              label={t.copyField(LABELS[field])}
              size="sm"
              onPress={() => void copy(client[field] ?? '')}
            >
              <Copy aria-hidden size={14} />
            </IconButton>
          </Row>
        ))}
        {texts.map((field) => (
          <Row key={field} field={field}>
            <span className="min-w-0 text-right break-words whitespace-pre-line">
              <Value field={field} text={client[field] ?? ''} />
            </span>
          </Row>
        ))}
      </dl>
    </Card>
  );
}

const Row = ({ field, children }: { field: ClientField; children: React.ReactNode }) => (
  <div className="flex min-h-9 items-center justify-between gap-4 py-1">
    <dt className="shrink-0 text-muted max-sm:max-w-32">{LABELS[field]}</dt>
    <dd className="flex min-w-0 items-center gap-1">{children}</dd>
  </div>
);

function Value({ field, text }: { field: (typeof TEXTS)[number]; text: string }) {
  if (field === 'email')
    return (
      <a className="link break-all" href={`mailto:${text}`}>
        {text}
      </a>
    );
  if (field === 'phone')
    return (
      <a className="link tabular" href={`tel:${text.replace(/[^\d+]/g, '')}`}>
        {text}
      </a>
    );
  return shownValue(field, text);
}
