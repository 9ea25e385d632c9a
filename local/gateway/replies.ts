import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ApiError } from '../../shared/core/errors.ts';
import { contentPolicy, contentTypeOf, isolationHeaders } from '../../shared/core/static-pages.ts';
import { isFromHere } from './guard.ts';

/** A response that the gateway gives without a function, in the standard envelope. */
export const rejectionBody = (message: string) => new ApiError('invalid_value', message).body;

export const replyJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers }).end(bytes);
};

/** Writes a function's structured result as the gateway does. */
export const replyResult = (response: ServerResponse, result: APIGatewayProxyStructuredResultV2, requestId: string): void => {
  // Node sends a text together with the headers in one write, and bytes in a second one.
  const body = result.isBase64Encoded ? Buffer.from(result.body ?? '', 'base64') : (result.body ?? '');
  const status = result.statusCode ?? 200;
  for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, String(value));
  if (result.cookies) response.setHeader('set-cookie', result.cookies);
  response.setHeader('apigw-requestid', requestId);
  if (status !== 204 && status !== 304) {
    if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain;charset=UTF-8');
    response.setHeader('content-length', Buffer.byteLength(body));
  }
  response.writeHead(status).end(body);
};

const parserErrors: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Sends the last bytes on a connection after a request that could not be parsed. */
export const rejectSocket = (error: NodeJS.ErrnoException, socket: Socket, requestId: string): void => {
  if (socket.destroyed || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const status = parserErrors[error.code ?? ''] ?? 400;
  const body = JSON.stringify(rejectionBody(`${STATUS_CODES[status]}.`));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};

/** Headers of every local page. The policy allows the page's own files and nothing else. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...isolationHeaders,
  'cache-control': 'no-store',
};

/**
 * Sends a file with the type of its name. Without a file, sends 404 with the page `missing`, if
 * there is one.
 */
export const replyFile = (response: ServerResponse, name: string, bytes: Buffer | undefined, missing?: Buffer): void => {
  const sent = bytes ?? missing;
  if (!sent) {
    replyJson(response, 404, new ApiError('not_found', 'No such path.').body, pageHeaders);
    return;
  }
  const type = contentTypeOf(bytes ? name : '404.html') ?? 'application/octet-stream';
  response.writeHead(bytes ? 200 : 404, { ...pageHeaders, 'content-type': type, 'content-length': sent.length }).end(sent);
};

/** Whether a page may be sent: to a GET or HEAD from this machine. Otherwise sends the error. */
export const mayVisit = (request: IncomingMessage, response: ServerResponse): boolean => {
  request.resume();
  if (!isFromHere(request)) {
    replyJson(response, 403, rejectionBody('This page is for the machine that it runs on.'), pageHeaders);
    return false;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    replyJson(response, 405, rejectionBody('Only GET.'), { ...pageHeaders, allow: 'GET, HEAD' });
    return false;
  }
  return true;
};

/** Redirects `/page` to `/page/`, because the page's links are relative. */
export const replySlash = (response: ServerResponse, path: string): void =>
  void response.writeHead(308, { ...pageHeaders, location: `${path}/` }).end();

/** Redirects a browser from the root to the docs. Other clients get the API's response. */
export const leadsToDocs = (request: IncomingMessage, response: ServerResponse): boolean => {
  const isBrowser = request.method === 'GET' && request.url === '/' && /\btext\/html\b/.test(request.headers.accept ?? '');
  if (isBrowser) response.writeHead(302, { location: '/docs/', 'cache-control': 'no-store', vary: 'Accept' }).end();
  return isBrowser;
};
