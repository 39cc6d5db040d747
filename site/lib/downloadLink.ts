import * as common from '#messages/common.ts';
import { ApiError } from './apiError.ts';

/**
 * The URL in the response of a call that makes a download link.
 * @throws {ApiError} if there is none: the browser would go to the page "undefined" instead.
 */
export function linkIn(data: unknown, message: string = common.noDownloadLink): string {
  const { download_url } = (data ?? {}) as { download_url?: unknown };
  if (typeof download_url === 'string' && download_url !== '') return download_url;
  throw new ApiError(200, 'no_link', message);
}
