/** Prints pictures, one per page. Resolves when the print dialog has closed. */
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
  // A picture that fails to load prints as an empty page.
  await Promise.allSettled(pictures.map((picture) => picture.decode()));
  print();
  sheet.remove();
}
