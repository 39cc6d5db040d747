/** Lets the browser save what an address gives, under the name that the server or the caller says. */
export function save(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
