/** What an entry of the history about a link says of its items. */
export const auditSubject = (items: readonly { id: number; name: string }[]) => ({
  ...(items.length === 1 && { subject: `item:${items[0]!.id}` }),
  detail: {
    ids: items.slice(0, 100).map(({ id }) => id),
    names: items.slice(0, 3).map(({ name }) => name),
    chosen: items.length,
  },
});
