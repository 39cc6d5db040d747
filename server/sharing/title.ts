/** How a text names what is shared: `"Form 16.pdf"`, or `3 documents`. */
export function titleOf(items: readonly { name: string; type: 'file' | 'folder' }[]): string {
  const [one] = items;
  if (items.length === 1 && one) return `"${one.name}"`;
  return `${items.length} ${items.every(({ type }) => type === 'file') ? 'documents' : 'items'}`;
}
