import type { ChangeRequest, RequestView } from '#server/requests/contract.ts';
import type { RequestFields } from './Fields.tsx';
import type { MatchedRow } from './periods.ts';
import { matchRows, parseRows } from './periods.ts';

/** The values of the edit dialog. */
export interface EditFields extends RequestFields {
  email: string;
}

export const fieldsOf = (request: RequestView): EditFields => ({
  title: request.title,
  rows: request.rows.map(({ name }) => name).join('\n'),
  note: request.note,
  due_on: request.due_on ?? '',
  language: request.language,
  reminders: request.reminders,
  email: request.email,
});

export const isEdited = (before: unknown, after: unknown): boolean =>
  JSON.stringify(before) !== JSON.stringify(after);

/** The rows to save: the edits against the rows as opened, and what a colleague has added, renamed or removed since. */
export function mergeRows(
  opened: readonly MatchedRow[],
  latest: readonly MatchedRow[],
  names: readonly string[],
) {
  // By the names as opened, but by the answers as they are now: a document may have come meanwhile.
  const answered = opened.map((row) => {
    const { state, files } = latest.find(({ id }) => id === row.id) ?? row;
    return { ...row, state, files };
  });
  const edited = matchRows(answered, names).flatMap(({ id, name }) => {
    const before = opened.find((row) => row.id === id);
    const now = latest.find((row) => row.id === id);
    if (before?.name !== name) return [{ id: now ? id : null, name }];
    return now ? [{ id, name: now.name }] : [];
  });
  const added = latest.filter(({ id }) => !opened.some((row) => row.id === id));
  return [...edited, ...added.map(({ id, name }) => ({ id, name }))];
}

/** The request to save: the edited fields, and the others as they are now, since a colleague may have changed them. */
export function changeOf(opened: RequestView, latest: RequestView, fields: EditFields): ChangeRequest {
  const [before, now] = [fieldsOf(opened), fieldsOf(latest)];
  const pick = <Name extends keyof EditFields>(name: Name): EditFields[Name] =>
    isEdited(before[name], fields[name]) ? fields[name] : now[name];
  return {
    title: pick('title'),
    note: pick('note'),
    language: pick('language'),
    reminders: pick('reminders'),
    email: pick('email'),
    due_on: pick('due_on') || null,
    rows: isEdited(before.rows, fields.rows)
      ? mergeRows(opened.rows, latest.rows, parseRows(fields.rows))
      : latest.rows.map(({ id, name }) => ({ id, name })),
  };
}
