import { type HttpRequest, type HttpResponse, sendHttp } from '../support/http.ts';
import type { Emulator } from './emulator.ts';

/**
 * Requests a URL at the emulator, which finds the API by the Host header, so names under
 * `.localhost` need no DNS.
 */
export const requestAt =
  (emulator: Emulator) =>
  (method: string, url: string, { headers, ...request }: HttpRequest = {}): Promise<HttpResponse> => {
    const { host, pathname, search } = new URL(url);
    return sendHttp(`${emulator.url}${pathname}${search}`, method, { ...request, headers: { host, ...headers } });
  };
