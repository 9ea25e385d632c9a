import { describe, expect, test } from '@jest/globals';
import { type GatewayRequest, splitTarget, toGatewayEvent } from '../../../local/gateway/event.ts';

const request = (changes: Partial<GatewayRequest> = {}): GatewayRequest => ({
  method: 'POST',
  target: '/api/v2/expenses?limit=2',
  protocol: 'HTTP/1.1',
  rawHeaders: ['Host', 'us.localhost:4000', 'User-Agent', 'curl/8', 'Content-Type', 'application/json'],
  sourceIp: '127.0.0.1',
  body: Buffer.from('{"amount":1}'),
  receivedMs: Date.UTC(2026, 10, 21, 11, 51, 22, 7),
  requestId: 'r-1',
  ...changes,
});
const route = { routeKey: 'POST /api/v2/expenses' };
const event = (changes: Partial<GatewayRequest> = {}) => toGatewayEvent(request(changes), route);
const headers = (...rawHeaders: string[]) => event({ rawHeaders }).headers;
const body = (bytes: Buffer, ...rawHeaders: string[]) => {
  const { body: text, isBase64Encoded } = event({ body: bytes, rawHeaders });
  return { text, isBase64Encoded };
};

test('an event has the members of payload format 2.0', () => {
  expect(toGatewayEvent(request(), { routeKey: 'POST /api/v2/expenses/{id}', pathParameters: { id: 'x' } })).toEqual({
    version: '2.0',
    routeKey: 'POST /api/v2/expenses/{id}',
    rawPath: '/api/v2/expenses',
    rawQueryString: 'limit=2',
    headers: {
      host: 'us.localhost:4000',
      'user-agent': 'curl/8',
      'content-type': 'application/json',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
    },
    queryStringParameters: { limit: '2' },
    pathParameters: { id: 'x' },
    requestContext: {
      accountId: expect.any(String),
      apiId: expect.any(String),
      domainName: 'us.localhost',
      domainPrefix: 'us',
      http: { method: 'POST', path: '/api/v2/expenses', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'curl/8' },
      requestId: 'r-1',
      routeKey: 'POST /api/v2/expenses/{id}',
      stage: '$default',
      time: '21/Nov/2026:11:51:22 +0000',
      timeEpoch: Date.UTC(2026, 10, 21, 11, 51, 22, 7),
    },
    body: '{"amount":1}',
    isBase64Encoded: false,
  });
});

describe('absent fields', () => {
  const { target, ...rest } = request({ target: '/api/v2/expenses', body: Buffer.alloc(0) });
  const bare = toGatewayEvent({ target, ...rest }, route);
  test.each(['queryStringParameters', 'pathParameters', 'cookies', 'body'])('an event has no field %s if the request has none', (name) => {
    expect(bare).not.toHaveProperty(name);
  });
});

describe('path and query', () => {
  test('the path is decoded and the query string is not', () => {
    expect(event({ target: '/api/v2/expenses/a%20b?x=%41%20' })).toMatchObject({
      rawPath: '/api/v2/expenses/a b',
      rawQueryString: 'x=%41%20',
    });
  });
  test('a malformed escape leaves the path as sent', () => {
    expect(event({ target: '/api/v1/%zz' }).rawPath).toBe('/api/v1/%zz');
  });
  test('the gateway joins repeated parameters', () => {
    expect(event({ target: '/x?a=1&b=2&a=3' }).queryStringParameters).toEqual({ a: '1,3', b: '2' });
  });
  test.each([
    ['/a?b?c', '/a', 'b?c'],
    ['*', '*', ''],
    ['/a?', '/a', ''],
  ])('the target %s is path %s and query "%s"', (target, rawPath, rawQueryString) => {
    expect(splitTarget(target)).toEqual({ rawPath, rawQueryString });
  });
});

describe('headers', () => {
  test('the gateway writes names of headers in lower case and joins repeated ones with a comma', () => {
    expect(headers('X-Tag', 'one', 'x-tag', 'two')).toMatchObject({ 'x-tag': 'one,two' });
  });
  test('the gateway passes cookies in a field of their own', () => {
    const { cookies, headers: rest } = event({ rawHeaders: ['Cookie', 'a=1; b=2'] });
    expect(cookies).toEqual(['a=1', 'b=2']);
    expect(rest).not.toHaveProperty('cookie');
  });
  test('the peer is appended to what the client claims about forwarding', () => {
    expect(headers('X-Forwarded-For', '1.2.3.4')).toMatchObject({ 'x-forwarded-for': '1.2.3.4, 127.0.0.1' });
  });
  test('the gateway does not pass on headers of the connection', () => {
    const passed = headers('Connection', 'keep-alive', 'Transfer-Encoding', 'chunked', 'Expect', '100-continue', 'Upgrade', 'h2c');
    expect(Object.keys(passed)).toEqual(['x-forwarded-for', 'x-forwarded-proto']);
  });
});

describe('bodies', () => {
  const broken = Buffer.from([0x7b, 0xff, 0x7d]);
  test.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/problem+json'])(
    '%s passes as text',
    (type) => {
      expect(body(Buffer.from('{"ä":1}'), 'Content-Type', type)).toEqual({ text: '{"ä":1}', isBase64Encoded: false });
    },
  );
  test('a body without a type passes as text', () => {
    expect(body(Buffer.from('{}'))).toEqual({ text: '{}', isBase64Encoded: false });
  });
  test('the gateway passes bodies of other types as base64', () => {
    expect(body(Buffer.from('{}'), 'Content-Type', 'application/octet-stream')).toEqual({ text: 'e30=', isBase64Encoded: true });
  });
  test('the gateway passes a body that is not UTF-8 as base64, byte for byte', () => {
    expect(body(broken, 'Content-Type', 'application/json')).toEqual({ text: broken.toString('base64'), isBase64Encoded: true });
  });
});
