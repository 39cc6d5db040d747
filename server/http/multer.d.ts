declare module '@koa/multer' {
  import type { Middleware } from 'koa';
  import type { Options, StorageEngine } from 'multer';

  /** Types of the used part: the package has none. */
  interface Multer {
    (options: Options): { single(field: string): Middleware };
    memoryStorage(): StorageEngine;
  }
  const multer: Multer;
  export default multer;
}
