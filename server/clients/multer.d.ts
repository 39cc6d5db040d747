declare module '@koa/multer' {
  import type { Middleware } from 'koa';
  import type { Options, StorageEngine } from 'multer';

  /** The package brings no types of its own; these are of what is used. */
  interface Multer {
    (options: Options): { single(field: string): Middleware };
    memoryStorage(): StorageEngine;
  }
  const multer: Multer;
  export default multer;
}
