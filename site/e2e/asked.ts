import type { Office } from './office.ts';

/** Asks a client for these documents, as Asha. @returns the request's id and a selector of its line in the list. */
export async function askClient(
  { world, asha }: Office,
  rows: string[],
): Promise<{ id: number; line: string }> {
  const client = await world.build.client(asha.actor, 'Meera Iyer', { email: 'meera@example.in' });
  const { made } = await world.services.requests.office.make(asha.actor, {
    client_ids: [client],
    rows,
    title: 'ITR',
    note: '',
    due_on: null,
    language: 'en',
    reminders: { before: null, on: false, after: null },
    send: false,
  });
  const { id } = made[0]!;
  return { id, line: `li[data-id="${id}"] button` };
}

/** The value of a field in the open dialog. */
export const valueOf = (office: Office, selector: string): Promise<string> =>
  office.page.$eval(`[role=dialog] ${selector}`, (field) => (field as HTMLInputElement).value);
