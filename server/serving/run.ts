import { builtSite } from './built-site.ts';
import { serve } from './serve.ts';

export { serve };

/** Serves the vault with its built pages. The build joins all that this loads into files in dist/program. */
export const run = (): Promise<void> => serve(builtSite);
