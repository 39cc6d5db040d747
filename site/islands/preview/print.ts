/** Prints pictures, one to a page. Resolves when the print dialog has been opened and closed. */
export async function printPictures(urls: readonly string[]): Promise<void> {
  const sheet = document.createElement('div');
  sheet.id = 'print-sheet';
  const pictures = urls.map((url) => {
    const picture = new Image();
    picture.src = url;
    return picture;
  });
  sheet.append(...pictures);
  document.body.append(sheet);
  // One that cannot be read prints as an empty page; the others still come out.
  await Promise.allSettled(pictures.map((picture) => picture.decode()));
  print();
  sheet.remove();
}
