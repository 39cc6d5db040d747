/// <reference types="astro/client" />

import type { PageLocals } from '#server/app.ts';

declare global {
  namespace App {
    interface Locals extends PageLocals {}
  }
}
