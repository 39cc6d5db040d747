/// <reference types="astro/client" />

import type { Actor, UserView } from '#server/auth/contract.ts';
import type { Services } from '#server/services.ts';

declare global {
  namespace App {
    /** What the server hands to every page. */
    interface Locals {
      actor: Actor | null;
      viewer: UserView | null;
      services: Services;
      appName: string;
      requestId: string;
    }
  }
}
