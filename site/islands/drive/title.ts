/** Names the page in the tab; a progress that stands before the name stays. */
export function setPageTitle(title: string): void {
  const progress = /^\(\d+%\) /.exec(document.title)?.[0] ?? '';
  document.title = progress + title;
}
