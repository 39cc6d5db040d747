import type { Page } from 'puppeteer';

/** A file's text, or a folder's contents, by name. */
interface Tree {
  [name: string]: string | Tree;
}

/** Drops files and folders on the element, as if they had been dragged in from the computer. */
export async function dropTree(page: Page, selector: string, tree: Tree): Promise<void> {
  await page.evaluate(
    (wanted, dropped) => {
      type TreeNode = { [name: string]: string | TreeNode };
      const fileOf = (name: string, text: string) =>
        new File([text], name, { lastModified: 1_700_000_000_000 });
      const entryOf = (name: string, node: string | TreeNode): object =>
        typeof node === 'string'
          ? {
              isFile: true,
              isDirectory: false,
              name,
              file: (resolve: (file: File) => void) => resolve(fileOf(name, node)),
            }
          : {
              isFile: false,
              isDirectory: true,
              name,
              createReader() {
                const children = Object.entries(node).map(([child, below]) => entryOf(child, below));
                return {
                  readEntries: (resolve: (batch: object[]) => void) => resolve(children.splice(0, 100)),
                };
              },
            };
      const entries = Object.entries(dropped as TreeNode).map(([name, node]) => entryOf(name, node));
      // A script can add files to a DataTransfer, but not folders.
      DataTransferItem.prototype.webkitGetAsEntry = () => entries.shift() as FileSystemEntry;
      const dataTransfer = new DataTransfer();
      for (const name of Object.keys(dropped)) dataTransfer.items.add(fileOf(name, ''));
      const target = document.querySelector(wanted);
      for (const type of ['dragover', 'drop']) {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        // A handler must prevent the default, or the browser opens the file in place of the page.
        if (target?.dispatchEvent(event)) throw new Error(`No handler prevented the default of ${type}.`);
      }
    },
    selector,
    tree,
  );
}
