/** Sets the tab's title, and keeps an upload progress before it. */
export function setPageTitle(title: string): void {
  const progress = /^\(\d+%\) /.exec(document.title)?.[0] ?? '';
  document.title = progress + title;
}
