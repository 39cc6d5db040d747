import type { Page } from 'puppeteer';

/** A file's text, or a folder's contents, by name. */
export interface Tree {
  [name: string]: string | Tree;
}

/** Lets files and folders go over the element, as if they had been dragged in from the computer. */
export async function dropTree(page: Page, selector: string, tree: Tree): Promise<void> {
  await page.evaluate(
    (wanted, dropped) => {
      type Node = { [name: string]: string | Node };
      const fileOf = (name: string, text: string) =>
        new File([text], name, { lastModified: 1_700_000_000_000 });
      const entryOf = (name: string, node: string | Node): object =>
        typeof node === 'string'
          ? {
              isFile: true,
              isDirectory: false,
              name,
              file: (found: (file: File) => void) => found(fileOf(name, node)),
            }
          : {
              isFile: false,
              isDirectory: true,
              name,
              createReader() {
                const children = Object.entries(node).map(([child, below]) => entryOf(child, below));
                return { readEntries: (found: (some: object[]) => void) => found(children.splice(0, 100)) };
              },
            };
      const entries = Object.entries(dropped as Node).map(([name, node]) => entryOf(name, node));
      // Scripts can put files into a transfer, but no folders.
      DataTransferItem.prototype.webkitGetAsEntry = () => entries.shift() as FileSystemEntry;
      const dataTransfer = new DataTransfer();
      for (const name of Object.keys(dropped)) dataTransfer.items.add(fileOf(name, ''));
      const target = document.querySelector(wanted);
      for (const type of ['dragover', 'drop']) {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        // Where nobody prevents it, the browser opens the file in the place of the page.
        if (target?.dispatchEvent(event)) throw new Error(`Nobody took the ${type}.`);
      }
    },
    selector,
    tree,
  );
}
