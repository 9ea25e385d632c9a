import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** A response that the gateway gives without a function, in the standard envelope. */
export const refusal = (message: string): { error: { type: string; code: string; message: string } } => ({
  error: { type: 'validation_error', code: 'invalid_value', message },
});

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
  const bytes = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  const status = result.statusCode ?? 200;
  for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, String(value));
  if (result.cookies) response.setHeader('set-cookie', result.cookies);
  response.setHeader('apigw-requestid', requestId);
  if (status !== 204 && status !== 304) {
    if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain;charset=UTF-8');
    response.setHeader('content-length', bytes.length);
  }
  response.writeHead(status).end(bytes);
};

/** Sends the last bytes on a connection after a request that could not be parsed. */
export const refuseSocket = (error: NodeJS.ErrnoException, socket: Socket, requestId: string): void => {
  if (socket.destroyed || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const body = JSON.stringify(refusal(`${statusTexts[status]}.`));
  const head = [
    `HTTP/1.1 ${status} ${statusTexts[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};
