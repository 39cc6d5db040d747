/** The refused files of a form that a page's query names, with the reasons, and how many more there are. */
export function refusedFiles(searchParams: URLSearchParams, notices: Record<string, string>) {
  const files = searchParams.getAll('file');
  const refused = searchParams.getAll('refused').flatMap((code, index) => {
    const text = notices[code];
    return text === undefined ? [] : [{ text, file: files[index] ?? null }];
  });
  return { refused, more: Math.trunc(Number(searchParams.get('more'))) };
}
